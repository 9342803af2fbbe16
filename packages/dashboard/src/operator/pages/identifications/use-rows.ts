import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { type ListedRow, listedRows } from './listed-row.ts'
import { packPage, pageReader, type RowsOfPages, rowsOfPages } from './packed-pages.ts'
import { filtersOf, type TableSearch } from './table-search.ts'

const FIRST_PAGE_ROWS = 50
/** Who goes on reading wants many. */
const LATER_PAGE_ROWS = 200
const LIVE_REFRESH_MS = 2_000

interface Rows {
  rows: RowsOfPages<ListedRow>
  error: Error | null
  /** Nothing has loaded yet. */
  loading: boolean
  loadingMore: boolean
  hasMore: boolean
  loadMore(): void
  retry(): void
}

/** The rows that match, page by page; in live mode only the latest page, refetched every two seconds. */
export function useRows(domain: string, search: TableSearch): Rows {
  const api = useApi()
  const live = search.live === 'on'
  const filters = live ? { ...filtersOf(search), sort: 'newest' as const } : filtersOf(search)
  const query = useInfiniteQuery({
    queryKey: ['searchIdentifications', { domain, filters, live }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, ...pageParam }
      const page = await api.call('searchIdentifications', { params: { domain }, query }, signal)
      return { rows: packPage(listedRows(page)), next: page.next }
    },
    initialPageParam: { limit: FIRST_PAGE_ROWS } as { limit: number; cursor?: string },
    getNextPageParam: ({ next }) =>
      live || next === null ? undefined : { limit: LATER_PAGE_ROWS, cursor: next },
    refetchInterval: live ? LIVE_REFRESH_MS : false,
    refetchOnWindowFocus: live,
    // Who comes back from a visit finds the rows where they were, and does not wait for all pages.
    refetchOnMount: ({ state: { data, isInvalidated } }) => isInvalidated || (data?.pages.length ?? 0) < 2,
  })
  const { data, hasNextPage, isFetching, isError, isFetchNextPageError, fetchNextPage, refetch } = query

  // The server scans a bounded number of rows per page, so a page can be empty before the end is reached.
  const lastIsEmpty = data?.pages.at(-1)?.rows.count === 0
  useEffect(() => {
    if (lastIsEmpty && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [lastIsEmpty, hasNextPage, isFetching, isError, fetchNextPage])

  const [read] = useState(() => pageReader<ListedRow>())
  const rows = useMemo(() => rowsOfPages(data?.pages.map((page) => page.rows) ?? [], read), [data, read])
  return {
    rows,
    error: query.error,
    loading: rows.count === 0 && (isFetching || hasNextPage) && !isError,
    loadingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    loadMore: useCallback(() => void fetchNextPage(), [fetchNextPage]),
    retry: useCallback(
      () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
      [isFetchNextPageError, fetchNextPage, refetch],
    ),
  }
}
