import { Box, Button, Group, Table, Text, UnstyledButton } from '@mantine/core'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, memo, useCallback, useEffect, useMemo, useRef } from 'react'
import { Empty, ErrorAlert, Loading } from '../../parts/feedback.tsx'
import { countText } from '../../parts/format.tsx'
import { COLUMNS, readColumns } from './columns.tsx'
import classes from './identifications-table.module.css'
import { useColumns } from './kept-columns.ts'
import type { ListedRow } from './listed-row.ts'
import { filtersOf, useTableSearch } from './table-search.ts'
import { useRows } from './use-rows.ts'

/** As in the style sheet. */
const ROW_REM = 2.5
/** Rows that are drawn above and below those in sight. */
const SPARE_ROWS = 8
/** The next page loads when so few rows are left. */
const AHEAD_ROWS = 20

export function IdentificationsTable() {
  const { domain, search } = useTableSearch()
  const { rows, error, loading, loadingMore, hasMore, loadMore, retry } = useRows(domain, search)
  if (error && rows.length === 0) return <ErrorAlert error={error} retry={retry} />
  if (loading) return <Loading />
  if (rows.length === 0)
    return <Empty title="No matching identifications">Remove a filter, or choose another date range.</Empty>
  return (
    <>
      <RowsInSight rows={rows} {...(hasMore && !loadingMore && !error && { loadMore })} />
      {error && <ErrorAlert error={error} retry={retry} />}
      <Group justify="center" mt="sm" gap="sm">
        <Shown count={rows.length} isLive={search.live === 'on'} hasMore={hasMore} />
        {hasMore && (
          <Button variant="default" size="xs" loading={loadingMore} onClick={loadMore}>
            Load more
          </Button>
        )}
      </Group>
    </>
  )
}

interface ShownProps {
  count: number
  isLive: boolean
  hasMore: boolean
}

/** How many rows have loaded. Where that is all of them, the total above the table says it. */
function Shown({ count, isLive, hasMore }: ShownProps) {
  if (!isLive && !hasMore) return null
  return (
    <Text size="sm" className="dim" role="status">
      {isLive ? `Live: the latest ${countText(count)}` : `${countText(count)} shown`}
    </Text>
  )
}

interface RowsInSightProps {
  rows: readonly ListedRow[]
  /** Missing when there is nothing more, or it is on its way. */
  loadMore?: () => void
}

/** Only rows in sight are in the document, however many have loaded. */
function RowsInSight({ rows, loadMore }: RowsInSightProps) {
  const { columns } = useColumns()
  const names = useMemo(() => readColumns(columns), [columns])
  const { domain } = useTableSearch()
  const open = useOpenRow(domain)
  const box = useRef<HTMLDivElement>(null)
  const rowHeight = useMemo(
    () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    [],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: SPARE_ROWS,
  })
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= rows.length - AHEAD_ROWS
  useEffect(() => {
    if (isNearEnd && shown.length > 0) loadMore?.()
  }, [isNearEnd, shown.length, loadMore])

  return (
    // Focusable, so that the keyboard can scroll it.
    <Box
      component="section"
      ref={box}
      className={classes.box ?? ''}
      aria-label="Identifications"
      tabIndex={0}
    >
      <Table
        className={classes.table ?? ''}
        miw={names.reduce((sum, name) => sum + (COLUMNS[name]?.width ?? 0), 0)}
        stickyHeader
        aria-rowcount={rows.length + 1}
      >
        <Table.Thead>
          <Table.Tr aria-rowindex={1}>
            {names.map((name) => (
              <ColumnHead key={name} name={name} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Gap height={shown[0]?.start ?? 0} />
        <Table.Tbody>
          {shown.map(({ index }) => {
            const row = rows[index]
            return (
              row && (
                <Row key={row.request_id} row={row} index={index} names={names} domain={domain} open={open} />
              )
            )
          })}
        </Table.Tbody>
        <Gap height={virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)} />
      </Table>
    </Box>
  )
}

/** The place of rows that are out of sight. */
const Gap = ({ height }: { height: number }) =>
  height > 0 && (
    <tbody aria-hidden="true" className={classes.gap}>
      <tr>
        <td style={{ height }} />
      </tr>
    </tbody>
  )

/** Follows the link in a row that is clicked, or else opens the row. A click for a new tab is the browser's. */
function useOpenRow(domain: string) {
  const navigate = useNavigate()
  const { history } = useRouter()
  return useCallback(
    (requestId: string, event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      if (!link)
        return void navigate({
          to: '/d/$domain/identifications/$requestId',
          params: { domain, requestId },
        })
      event.preventDefault()
      history.push(`${link.pathname}${link.search}`)
    },
    [navigate, history, domain],
  )
}

interface RowProps {
  row: ListedRow
  index: number
  names: readonly string[]
  domain: string
  open(requestId: string, event: MouseEvent): void
}

const Row = memo(({ row, index, names, domain, open }: RowProps) => (
  // The head is the first row.
  <tr aria-rowindex={index + 2} className={classes.row} onClick={(event) => open(row.request_id, event)}>
    {names.map((name) => (
      <td key={name} className={classes.cell}>
        {COLUMNS[name]?.show(row, domain)}
      </td>
    ))}
  </tr>
))

/** The sort orders of the API by column: first the one that a first click chooses. */
const SORTS = {
  time: ['newest', 'oldest'],
  score: ['riskiest', 'safest'],
} as const

const isSortable = (name: string): name is keyof typeof SORTS => Object.hasOwn(SORTS, name)

function ColumnHead({ name }: { name: string }) {
  const { search, change } = useTableSearch()
  const { title, width } = COLUMNS[name] ?? { title: name, width: undefined }
  if (!isSortable(name) || search.live === 'on')
    return (
      <Table.Th scope="col" w={width ?? ''}>
        {title}
      </Table.Th>
    )
  const [falling, rising] = SORTS[name]
  const { sort = 'newest' } = filtersOf(search)
  const order = sort === falling ? 'descending' : sort === rising ? 'ascending' : undefined
  return (
    // The button is as wide as its words, and a click beside it counts as well.
    <Table.Th
      scope="col"
      w={width ?? ''}
      className={classes.sort ?? ''}
      {...(order && { 'aria-sort': order })}
      onClick={() => change({ sort: sort === falling ? rising : falling })}
    >
      <UnstyledButton>
        {title}
        <span aria-hidden="true">{order === 'descending' ? '↓' : order === 'ascending' ? '↑' : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  )
}
