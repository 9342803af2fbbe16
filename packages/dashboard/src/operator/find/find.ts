import type { PAGES } from '../pages.ts'
import type { IconName } from '../parts/icon.tsx'

/** Where a row of the box leads. Plain data, so that it can be kept. */
export interface Target {
  to: (typeof PAGES)[number]['path']
  params: Readonly<Record<string, string>>
  search: Readonly<Record<string, string>>
}

/** A row of the box that finds anything. */
export interface Find {
  icon: IconName
  /** Its name: an ID, an account, the title of a page. */
  title: string
  /** What it is, in plain words. */
  about: string
  /** What is true of it now, and may not be later. */
  now?: string
  target: Target
}

/** Two rows with the same key lead to the same place. */
export const keyOf = ({ target: { to, params, search } }: Find): string =>
  JSON.stringify([to, params, search])
