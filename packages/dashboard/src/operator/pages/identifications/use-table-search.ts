import { getRouteApi } from '@tanstack/react-router'
import type { TableSearch } from './read-search.ts'

const route = getRouteApi('/signed-in/d/$domain/identifications')

interface TableState {
  domain: string
  search: TableSearch
  /** Names that are undefined are taken out. */
  change(part: { [Name in keyof TableSearch]?: TableSearch[Name] | undefined }): void
  replace(search: TableSearch): void
}

/** The address is the state of the table: it can be shared, and the back button works. */
export function useTableSearch(): TableState {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const replace = (next: TableSearch): void => void navigate({ search: next })
  return {
    domain,
    search,
    replace,
    change(part) {
      const next = Object.entries({ ...search, ...part }).filter(
        ([, value]) => value !== undefined && value !== '',
      )
      replace(Object.fromEntries(next))
    },
  }
}
