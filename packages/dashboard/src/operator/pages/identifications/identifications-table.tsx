import type { HistoryRow } from '@inkling/contract'
import { Button, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { DataTable, type DataTableSortStatus } from 'mantine-datatable'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { COLUMNS, readColumns } from './columns.tsx'
import { useRows } from './use-rows.ts'
import { useTableSearch } from './use-table-search.ts'

/** Orders of the API by the column whose head asks for them. */
const SORTS = {
  newest: { columnAccessor: 'time', direction: 'desc' },
  oldest: { columnAccessor: 'time', direction: 'asc' },
  riskiest: { columnAccessor: 'score', direction: 'desc' },
  safest: { columnAccessor: 'score', direction: 'asc' },
} as const
type SortName = keyof typeof SORTS

export function IdentificationsTable() {
  const { domain, search, change } = useTableSearch()
  const { rows, error, waiting, loadingMore, hasMore, loadMore, retry } = useRows(domain, search)
  const navigate = useNavigate()
  if (error && rows.length === 0) return <Failed error={error} retry={retry} />
  if (waiting) return <Waiting />
  if (rows.length === 0)
    return (
      <Empty title="No identification matches">Take a filter away, or choose another range of dates.</Empty>
    )
  const live = search.live === 'on'
  const names = readColumns(search.columns)
  return (
    <>
      <DataTable<HistoryRow>
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
        sortStatus={SORTS[(search.sort as SortName | undefined) ?? 'newest']}
        onSortStatusChange={(status) => change({ sort: sortName(status, search.sort) })}
        onRowClick={({ record, event }) => {
          if (event.target instanceof Element && event.target.closest('a, button')) return
          void navigate({
            to: '/d/$domain/identifications/$requestId',
            params: { domain, requestId: record.request_id },
          })
        }}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Identifications' } }}
      />
      {error && <Failed error={error} retry={retry} />}
      <Group justify="center" mt="sm" gap="sm">
        <Text size="sm" className="dim" role="status">
          {live
            ? `The newest ${rows.length}, kept fresh`
            : `${rows.length} shown${hasMore ? '' : ', these are all'}`}
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

/** A first click on a column asks for its greatest values, which are what one looks for. */
function sortName(
  { columnAccessor, direction }: DataTableSortStatus<HistoryRow>,
  current: string | undefined,
): SortName {
  const isOther = SORTS[(current as SortName | undefined) ?? 'newest'].columnAccessor !== columnAccessor
  if (columnAccessor === 'score') return isOther || direction === 'desc' ? 'riskiest' : 'safest'
  return isOther || direction === 'desc' ? 'newest' : 'oldest'
}
