import { LIST_KINDS, LIST_NAMES, type ListKind, type ListName } from '@inkling/contract'

export interface ListsSearch {
  list?: ListName
  kind?: ListKind
  /** A part of the value. */
  value?: string
}

/** Drops what the API would reject, so that an address typed by hand cannot break the page. */
export function parseListsSearch(search: Record<string, unknown>): ListsSearch {
  const list = LIST_NAMES.find((name) => name === search.list)
  const kind = LIST_KINDS.find((name) => name === search.kind)
  const value = typeof search.value === 'string' ? search.value.trim().slice(0, 1_000) : ''
  return { ...(list && { list }), ...(kind && { kind }), ...(value !== '' && { value }) }
}
