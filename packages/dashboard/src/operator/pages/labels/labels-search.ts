import { LABEL_KIND_PATTERN, LABEL_SUBJECTS, type LabelSubject } from '@inkling/contract'

export interface LabelsSearch {
  kind?: string
  type?: LabelSubject
  /** A part of the subject's value. */
  value?: string
}

/** Drops what the API would reject, so that an address typed by hand cannot break the page. */
export function parseLabelsSearch(search: Record<string, unknown>): LabelsSearch {
  const { kind } = search
  const type = LABEL_SUBJECTS.find((name) => name === search.type)
  const value = typeof search.value === 'string' ? search.value.trim().slice(0, 1_000) : ''
  return {
    ...(typeof kind === 'string' && LABEL_KIND_PATTERN.test(kind) && { kind }),
    ...(type && { type }),
    ...(value !== '' && { value }),
  }
}
