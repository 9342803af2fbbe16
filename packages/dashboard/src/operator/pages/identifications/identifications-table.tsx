import { Box, Button, Group, Text, UnstyledButton } from '@mantine/core'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type MouseEvent, memo, useCallback, useEffect, useMemo, useRef } from 'react'
import { Empty, ErrorAlert, Loading } from '../../parts/feedback.tsx'
import { countText } from '../../parts/format.tsx'
import { COLUMNS, readColumns } from './columns.tsx'
import classes from './identifications-table.module.css'
import { useColumns } from './kept-columns.ts'
import type { ListedRow } from './listed-row.ts'
import type { RowsOfPages } from './packed-pages.ts'
import { filtersOf, useTableSearch } from './table-search.ts'
import { useRows } from './use-rows.ts'

/** As in the style sheet. */
const ROW_REM = 2.5
/** Rows that are drawn above and below those in sight. */
const SPARE_ROWS = 4
/** The next page loads when so few rows are left. */
const AHEAD_ROWS = 20

export function IdentificationsTable() {
  const { domain, search } = useTableSearch()
  const { rows, error, loading, loadingMore, hasMore, loadMore, retry } = useRows(domain, search)
  if (error && rows.count === 0) return <ErrorAlert error={error} retry={retry} />
  if (loading) return <Loading />
  if (rows.count === 0)
    return <Empty title="No matching identifications">Remove a filter, or choose another date range.</Empty>
  return (
    <>
      <RowsInSight rows={rows} {...(hasMore && !loadingMore && !error && { loadMore })} />
      {error && <ErrorAlert error={error} retry={retry} />}
      <Group justify="center" mt="sm" gap="sm">
        <Shown count={rows.count} isLive={search.live === 'on'} hasMore={hasMore} />
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
  rows: RowsOfPages<ListedRow>
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
    count: rows.count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: SPARE_ROWS,
  })
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  const isFlung = useFlung(shown[0]?.index ?? 0, shown.length, virtual.isScrolling)
  const drawn = useMemo(() => (isFlung ? names.slice(0, 1) : names), [isFlung, names])
  const isNearEnd = lastShown >= rows.count - AHEAD_ROWS
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
      <table
        {...ROLES.table}
        className={classes.table}
        style={layoutOf(names)}
        aria-rowcount={rows.count + 1}
      >
        <thead {...ROLES.group} className={classes.head}>
          <tr {...ROLES.row} aria-rowindex={1}>
            {names.map((name) => (
              <ColumnHead key={name} name={name} />
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.group} style={{ height: virtual.getTotalSize(), paddingTop: shown[0]?.start }}>
          {shown.map(({ index }) => {
            const row = rows.at(index)
            return (
              row && (
                <Row key={row.request_id} row={row} index={index} names={drawn} domain={domain} open={open} />
              )
            )
          })}
        </tbody>
      </table>
    </Box>
  )
}

/**
 * The parts of the table are boxes for the layout, which would have to measure all rows of a table for each one that
 * comes into sight. Some browsers forget what the elements mean then.
 */
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/**
 * Columns are as wide as they say, and wider in proportion where there is room. A style of its own for each cell would
 * take longer than all of the rest.
 */
function layoutOf(names: readonly string[]): CSSProperties {
  const widths = names.map((name) => COLUMNS[name]?.width ?? 0)
  return {
    minWidth: widths.reduce((sum, width) => sum + width, 0),
    '--columns': widths.map((width) => `minmax(0, ${width}fr)`).join(' '),
  } as CSSProperties
}

/**
 * Whether rows pass by faster than anybody reads: half of them or more are new, twice in succession. The first column
 * says where one is then, and the others come when it is over; a single jump draws all.
 */
function useFlung(first: number, count: number, isScrolling: boolean): boolean {
  const before = useRef({ first, hasJumped: false })
  const hasJumped = Math.abs(first - before.current.first) * 2 >= count
  const isFlung = isScrolling && hasJumped && before.current.hasJumped
  useEffect(() => {
    before.current = { first, hasJumped }
  })
  return isFlung
}

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
  <tr
    {...ROLES.row}
    // The head is the first row.
    aria-rowindex={index + 2}
    className={classes.row}
    onClick={(event) => open(row.request_id, event)}
  >
    {names.map((name) => (
      <td {...ROLES.cell} key={name} className={classes.cell}>
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
  const title = COLUMNS[name]?.title ?? name
  if (!isSortable(name) || search.live === 'on')
    return (
      <th {...ROLES.head} scope="col">
        {title}
      </th>
    )
  const [falling, rising] = SORTS[name]
  const { sort = 'newest' } = filtersOf(search)
  const order = sort === falling ? 'descending' : sort === rising ? 'ascending' : undefined
  return (
    // The button is as wide as its words, and a click beside it counts as well.
    <th
      {...ROLES.head}
      scope="col"
      className={classes.sort}
      {...(order && { 'aria-sort': order })}
      onClick={() => change({ sort: sort === falling ? rising : falling })}
    >
      <UnstyledButton>
        {title}
        <span aria-hidden="true">{order === 'descending' ? '↓' : order === 'ascending' ? '↑' : '↕'}</span>
      </UnstyledButton>
    </th>
  )
}
