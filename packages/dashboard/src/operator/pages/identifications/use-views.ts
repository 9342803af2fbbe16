import type { SavedView } from '@inkling/contract/account'
import { useEffect } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { isViewAlone, useTableSearch } from './table-search.ts'
import { searchOfView } from './view-search.ts'

interface Views {
  views: readonly SavedView[]
  error: Error | null
  /** The one that the address names. */
  opened: SavedView | undefined
  /** The address names one that is not there for this user. */
  isMissing: boolean
  /** The filters of the address are not known yet. */
  isOpening: boolean
}

/** The saved views of the domain. An address with a view alone becomes that of its filters. */
export function useViews(): Views {
  const { domain, search, redirect } = useTableSearch()
  const { data, error } = useApiQuery('listViews', { params: { domain } })
  const views = data?.data ?? []
  const opened = views.find(({ id }) => id === search.view)
  const isAlone = isViewAlone(search)
  const isToOpen = isAlone && opened !== undefined && opened.search !== ''
  useEffect(() => {
    if (isToOpen) redirect(searchOfView(opened))
  })
  return {
    views,
    error,
    opened,
    isMissing: search.view !== undefined && data !== undefined && opened === undefined,
    isOpening: isToOpen || (isAlone && data === undefined && error === null),
  }
}
