import { type SavedView, UNSAVED_FILTERS } from '@inkling/contract/account'
import { formatQuery, parseQuery } from '../../search-params.ts'
import { FILTER_NAMES, parseTableSearch, type TableSearch } from './table-search.ts'

/** What a view keeps, in one order, so that equal searches are equal texts. */
const KEPT = [...FILTER_NAMES.filter((name) => !UNSAVED_FILTERS.includes(name)), 'columns'] as const

/**
 * The part of an address that a view keeps: no identifiers of visitors.
 * @param columns those that are shown, where the address does not say
 */
export const keptQuery = (search: TableSearch, columns = search.columns): string =>
  formatQuery(
    Object.fromEntries(KEPT.map((name) => [name, name === 'columns' ? columns : search[name]])),
  ).slice(1)

/** Filters that a view does not keep. */
export const unsavedFilters = (search: TableSearch): string[] =>
  FILTER_NAMES.filter((name) => UNSAVED_FILTERS.includes(name) && search[name] !== undefined)

/** The address of a view with its filters. */
export const searchOfView = ({ id, search }: Pick<SavedView, 'id' | 'search'>): TableSearch => ({
  ...parseTableSearch(parseQuery(search)),
  view: id,
})

/** Whether the filters differ from those of the view. */
export const isChanged = (view: Pick<SavedView, 'id' | 'search'>, search: TableSearch): boolean =>
  keptQuery(searchOfView(view)) !== keptQuery(search)

/** The address that opens a view: of a shared one as it will be then, of another one as it is now. */
export const linkOfView = ({ id, search, shared }: SavedView, page: string): string =>
  new URL(`?${shared ? `view=${id}` : search}`, page).href
