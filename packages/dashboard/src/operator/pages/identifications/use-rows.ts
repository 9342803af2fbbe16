import type { HistoryRow } from '@inkling/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../api/use-api.ts'
import { filtersOf, type TableSearch } from './read-search.ts'

const PAGE_ROWS = 50
const LIVE_EVERY_MS = 2_000

interface Rows {
  rows: readonly HistoryRow[]
  error: Error | null
  /** Nothing has come yet. */
  waiting: boolean
  loadingMore: boolean
  hasMore: boolean
  loadMore(): void
  retry(): void
}

/** Rows of a search, page by page; in live mode the newest page only, read again and again. */
export function useRows(domain: string, search: TableSearch): Rows {
  const api = useApi()
  const live = search.live === 'on'
  const filters = live ? { ...filtersOf(search), sort: 'newest' as const } : filtersOf(search)
  const query = useInfiniteQuery({
    queryKey: ['searchIdentifications', { domain, filters, live }],
    queryFn: ({ pageParam, signal }) =>
      api.ask(
        'searchIdentifications',
        {
          params: { domain },
          query: { ...filters, limit: PAGE_ROWS, ...(pageParam !== undefined && { cursor: pageParam }) },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (live ? undefined : page.next),
    refetchInterval: live ? LIVE_EVERY_MS : false,
    refetchOnWindowFocus: live,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query

  // Rare matches are looked for in stretches, and a stretch without any is no end.
  const lastIsShort = data?.pages.at(-1)?.data.length === 0
  useEffect(() => {
    if (lastIsShort && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [lastIsShort, hasNextPage, isFetching, isError, fetchNextPage])

  const rows = data?.pages.flatMap((page) => page.data) ?? []
  return {
    rows,
    error: query.error,
    waiting: rows.length === 0 && (isFetching || hasNextPage) && !isError,
    loadingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void query.refetch(),
  }
}
