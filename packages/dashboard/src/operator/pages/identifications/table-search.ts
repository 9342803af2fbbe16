import {
  CHOICE_NAMES,
  type ChoiceName,
  IdentificationSearch,
  takesSeveral,
  valuesMax,
} from '@inkling/contract/account'
import { getRouteApi } from '@tanstack/react-router'
import type { z } from 'zod'
import { IDENTIFIERS, type IdentifierType } from '../../parts/identifier.tsx'

type Filters = z.input<typeof IdentificationSearch>
type FilterName = keyof Filters
/** A filter that takes several values, or its negation. */
export type SeveralName = ChoiceName | `not_${ChoiceName}`
export type SingleName = Exclude<FilterName, SeveralName>

/** The state of the table, which its address carries: the filters and how the rows are shown. */
export type TableSearch = { [Name in SingleName]?: string } & {
  /** One value is a text, as in links to the table. */
  [Name in SeveralName]?: string | readonly string[]
} & {
  /** Names of the columns, separated by commas; the default columns without it. */
  columns?: string
  /** `on` when new rows appear by themselves. */
  live?: string
  /** ID of the saved view that was opened; alone in an address it stands for the filters of the view. */
  view?: string
}

export const FILTER_NAMES = Object.keys(IdentificationSearch.shape) as FilterName[]
export const SEVERAL_NAMES: readonly SeveralName[] = CHOICE_NAMES.flatMap(
  (name) => [name, `not_${name}`] as const,
)
const isSeveral = (name: FilterName): name is SeveralName => takesSeveral(IdentificationSearch.shape[name])

/** Keeps every known filter, also one that the API would reject, so that the page can say so. */
export function parseTableSearch(search: Record<string, unknown>): TableSearch {
  const known: Record<string, string | string[]> = {}
  for (const name of FILTER_NAMES) {
    const given = search[name]
    if (given === undefined) continue
    // Of what can be there only once the last counts.
    if (!Array.isArray(given)) known[name] = String(given)
    else known[name] = isSeveral(name) ? given.map(String) : String(given.at(-1))
  }
  if (typeof search.columns === 'string') known.columns = search.columns
  if (search.live === 'on') known.live = 'on'
  if (typeof search.view === 'string') known.view = search.view
  return known
}

/** The values of a filter as the address has them. */
export function valuesOf(search: TableSearch, name: FilterName): readonly string[] {
  const given = search[name]
  if (given === undefined) return []
  return typeof given === 'string' ? [given] : given
}

/** Whether the API takes this value of a filter. */
const isValid = (name: FilterName, text: string): boolean =>
  IdentificationSearch.shape[name].safeParse(isSeveral(name) ? [text] : text).success

const validValues = (search: TableSearch, name: FilterName): string[] => {
  const valid = valuesOf(search, name).filter((text) => isValid(name, text))
  return isSeveral(name) ? valid.slice(0, valuesMax(name)) : valid
}

/** The filters alone, without those that the API rejects. */
export const filtersOf = (search: TableSearch): Filters =>
  Object.fromEntries(
    FILTER_NAMES.flatMap((name) => {
      const values = validValues(search, name)
      return values.length === 0 ? [] : [[name, isSeveral(name) ? values : values[0]]]
    }),
  ) as Filters

/** Values of an address typed by hand that mean nothing; the search goes without them. */
export const invalidValues = (search: TableSearch): [name: FilterName, value: string][] =>
  FILTER_NAMES.flatMap((name) => {
    const valid = validValues(search, name)
    return valuesOf(search, name)
      .filter((value) => !valid.includes(value))
      .map((value): [FilterName, string] => [name, value])
  })

interface IdentifierSearch {
  type: IdentifierType
  value: string
}

/** The identifier that is searched for; none if the address has several. */
export function identifierOf(search: TableSearch): IdentifierSearch | undefined {
  const [only, another] = IDENTIFIERS.flatMap((type) =>
    valuesOf(search, type).map((value) => ({ type, value })),
  )
  return another ? undefined : only
}

/** The same filters with another identifier, or with none; those that rows may not have stay. */
export function withIdentifier(search: TableSearch, identifier: IdentifierSearch | undefined): TableSearch {
  const rest = Object.entries(search).filter(([name]) => !(IDENTIFIERS as readonly string[]).includes(name))
  return { ...Object.fromEntries(rest), ...(identifier && { [identifier.type]: identifier.value }) }
}

/** How rows are shown, without any filter and as no view. */
export const withoutFilters = (search: TableSearch): TableSearch =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name]) => name === 'sort' || (name !== 'view' && !(FILTER_NAMES as readonly string[]).includes(name)),
    ),
  )

/** What is wrong with an identifier, for the user to read; undefined when it is valid. */
export function identifierProblem({ type, value }: IdentifierSearch): string | undefined {
  if (isValid(type, value)) return undefined
  if (type === 'local_ip') return 'Enter an IPv4 address, such as 192.0.2.44.'
  return type === 'ip'
    ? 'Enter an IP address, or a network such as 2001:db8::/48.'
    : 'Enter a complete UUID of 36 characters.'
}

/** Whether an address says nothing but which view to open. */
export const isViewAlone = ({ view, ...others }: TableSearch): boolean =>
  view !== undefined && Object.keys(others).length === 0

type TableChange = { [Name in keyof TableSearch]?: TableSearch[Name] | undefined }

/** Undefined values, empty texts and empty lists remove a filter; a list with an empty text is the unknown value. */
export function changedSearch(search: TableSearch, part: TableChange): TableSearch {
  const rest = Object.entries(search).filter(([name]) => !(name in part))
  const changed = Object.entries(part).flatMap(([name, value]) => {
    if (value === undefined || value.length === 0) return []
    return [[name, typeof value === 'object' && value.length === 1 ? value[0] : value]]
  })
  const next: TableSearch = Object.fromEntries([...rest, ...changed])
  // Alone the ID of a view would bring its filters back.
  return isViewAlone(next) ? {} : next
}

/** What was chosen where some values were shown, for an address that may have others by now. */
export const chosenAmong = (
  latest: readonly string[],
  shown: readonly string[],
  chosen: readonly string[],
): string[] => [
  ...latest.filter((value) => chosen.includes(value) || !shown.includes(value)),
  ...chosen.filter((value) => !shown.includes(value) && !latest.includes(value)),
]

const route = getRouteApi('/signed-in/d/$domain/identifications')

interface TableState {
  domain: string
  search: TableSearch
  /** @param part what changes, or that of the latest state */
  change(part: TableChange | ((latest: TableSearch) => TableChange)): void
  /** The same, for who waits until the address has the change. */
  commit(part: TableChange | ((latest: TableSearch) => TableChange)): Promise<void>
  replace(search: TableSearch): void
  /** The same without a step back to what was there before. */
  redirect(search: TableSearch): void
}

/** The address holds the state of the table, so that it can be shared and the back button works. */
export function useTableSearch(): TableState {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const replace = (next: TableSearch): void => void navigate({ search: next })
  const redirect = (next: TableSearch): void => void navigate({ search: next, replace: true })
  // What is chosen while an earlier choice is on its way to the address is added to it.
  const commit: TableState['commit'] = (part) =>
    navigate({
      search: (latest) => changedSearch(latest, typeof part === 'function' ? part(latest) : part),
    })
  return { domain, search, change: (part) => void commit(part), commit, replace, redirect }
}
