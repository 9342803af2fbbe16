import { Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DataTable, type DataTableSortStatus } from 'mantine-datatable'
import { useEffect } from 'react'
import { useApi } from '../../api/use-api.ts'
import { Empty, ErrorAlert, Loading } from '../../parts/feedback.tsx'
import { COLUMNS, type ListedRow, readColumns } from './columns.tsx'
import { useColumns } from './kept-columns.ts'
import { filtersOf, type TableSearch, useTableSearch } from './table-search.ts'

/** The column and direction of each sort order of the API. */
const SORTS = {
  newest: { columnAccessor: 'time', direction: 'desc' },
  oldest: { columnAccessor: 'time', direction: 'asc' },
  riskiest: { columnAccessor: 'score', direction: 'desc' },
  safest: { columnAccessor: 'score', direction: 'asc' },
} as const
type SortName = keyof typeof SORTS

export function IdentificationsTable() {
  const { domain, search, change } = useTableSearch()
  const { rows, error, loading, loadingMore, hasMore, loadMore, retry } = useRows(domain, search)
  const { columns } = useColumns()
  const navigate = useNavigate()
  if (error && rows.length === 0) return <ErrorAlert error={error} retry={retry} />
  if (loading) return <Loading />
  if (rows.length === 0)
    return <Empty title="No matching identifications">Remove a filter, or choose another date range.</Empty>
  const live = search.live === 'on'
  const sort = filtersOf(search).sort ?? 'newest'
  const names = readColumns(columns)
  return (
    <>
      <DataTable<ListedRow>
        withTableBorder
        borderRadius="md"
        verticalSpacing="xs"
        highlightOnHover
        minHeight={120}
        records={[...rows]}
        idAccessor="request_id"
        columns={names.map((name) => ({
          accessor: name,
          title: COLUMNS[name]?.title ?? name,
          width: COLUMNS[name]?.width ?? 120,
          sortable: !live && (name === 'time' || name === 'score'),
          render: (row) => COLUMNS[name]?.show(row),
        }))}
        sortStatus={SORTS[sort]}
        onSortStatusChange={(status) => change({ sort: sortName(status, sort) })}
        onRowClick={({ record, event }) => {
          if (event.target instanceof Element && event.target.closest('a, button')) return
          void navigate({
            to: '/d/$domain/identifications/$requestId',
            params: { domain, requestId: record.request_id },
          })
        }}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Identifications' } }}
      />
      {error && <ErrorAlert error={error} retry={retry} />}
      <Group justify="center" mt="sm" gap="sm">
        <Text size="sm" className="dim" role="status">
          {live ? `Live: the latest ${rows.length}` : `${rows.length} ${hasMore ? 'shown' : 'in total'}`}
        </Text>
        {hasMore && (
          <Button variant="default" size="xs" loading={loadingMore} onClick={loadMore}>
            Load more
          </Button>
        )}
      </Group>
    </>
  )
}

/** The first click on a column sorts it descending, because high scores and recent visits matter most. */
function sortName(
  { columnAccessor, direction }: DataTableSortStatus<ListedRow>,
  current: SortName,
): SortName {
  const isOther = SORTS[current].columnAccessor !== columnAccessor
  if (columnAccessor === 'score') return isOther || direction === 'desc' ? 'riskiest' : 'safest'
  return isOther || direction === 'desc' ? 'newest' : 'oldest'
}

const PAGE_ROWS = 50
const LIVE_REFRESH_MS = 2_000

interface Rows {
  rows: readonly ListedRow[]
  error: Error | null
  /** Nothing has loaded yet. */
  loading: boolean
  loadingMore: boolean
  hasMore: boolean
  loadMore(): void
  retry(): void
}

/** The rows that match, page by page; in live mode only the latest page, refetched every two seconds. */
function useRows(domain: string, search: TableSearch): Rows {
  const api = useApi()
  const live = search.live === 'on'
  const filters = live ? { ...filtersOf(search), sort: 'newest' as const } : filtersOf(search)
  const query = useInfiniteQuery({
    queryKey: ['searchIdentifications', { domain, filters, live }],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        'searchIdentifications',
        {
          params: { domain },
          query: { ...filters, limit: PAGE_ROWS, ...(pageParam !== undefined && { cursor: pageParam }) },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (live ? undefined : page.next),
    refetchInterval: live ? LIVE_REFRESH_MS : false,
    refetchOnWindowFocus: live,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query

  // The server scans a bounded number of rows per page, so a page can be empty before the end is reached.
  const lastIsEmpty = data?.pages.at(-1)?.data.length === 0
  useEffect(() => {
    if (lastIsEmpty && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [lastIsEmpty, hasNextPage, isFetching, isError, fetchNextPage])

  const rows =
    data?.pages.flatMap(({ data: page, evidence, agents }) =>
      page.map((row) => ({ ...row, evidence: evidence[row.request_id], agent: agents[row.request_id] })),
    ) ?? []
  return {
    rows,
    error: query.error,
    loading: rows.length === 0 && (isFetching || hasNextPage) && !isError,
    loadingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void query.refetch(),
  }
}
