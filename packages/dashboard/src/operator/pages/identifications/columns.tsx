import { DETECTION_FLAGS, type HistoryRow } from '@inkling/contract'
import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScoreBadge } from '../../parts/band.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Time } from '../../parts/time.tsx'

export interface Column {
  title: string
  width: number
  show(row: HistoryRow): ReactNode
}

const plain = (text: string | undefined): ReactNode =>
  text === undefined || text === '' ? <span className="dim">unknown</span> : text

/** Every column that can be chosen, in their order. */
export const COLUMNS: Record<string, Column> = {
  time: { title: 'Time', width: 210, show: (row) => <TimeLink row={row} /> },
  score: { title: 'Score', width: 135, show: (row) => <ScoreBadge score={row.score} /> },
  flags: { title: 'Flags', width: 260, show: (row) => <Flags row={row} /> },
  account: {
    title: 'Account',
    width: 130,
    show: (row) => <Identifier type="user_hid" value={row.user_hid} />,
  },
  device: {
    title: 'Device',
    width: 110,
    show: (row) => <Identifier type="device_id" value={row.device_id} short />,
  },
  visitor: {
    title: 'Visitor',
    width: 110,
    show: (row) => <Identifier type="visitor_id" value={row.visitor_id} short />,
  },
  session: {
    title: 'Session',
    width: 110,
    show: (row) => <Identifier type="session_id" value={row.session_id} short />,
  },
  cookie: {
    title: 'Cookie',
    width: 110,
    show: (row) => <Identifier type="cookie_id" value={row.cookie_id} short />,
  },
  request: {
    title: 'Request ID',
    width: 110,
    show: (row) => <Identifier type="request_id" value={row.request_id} short />,
  },
  ip: { title: 'IP address', width: 140, show: (row) => <Identifier type="ip" value={row.ip} /> },
  country: { title: 'Country', width: 150, show: (row) => plain(row.country) },
  connection: { title: 'Connection', width: 120, show: (row) => plain(row.connection_type) },
  browser: { title: 'Browser', width: 120, show: (row) => plain(row.browser) },
  os: { title: 'System', width: 120, show: (row) => plain(row.os) },
  device_type: { title: 'Device type', width: 110, show: (row) => plain(row.device_type) },
  channel: { title: 'Traffic channel', width: 150, show: (row) => plain(row.traffic_channel) },
  host: { title: 'Host', width: 170, show: (row) => plain(row.domain) },
}

export const COLUMN_NAMES = Object.keys(COLUMNS)
const USUAL = ['time', 'score', 'flags', 'account', 'device', 'ip', 'country', 'connection', 'browser']

/** @param text names with commas between; unknown ones are passed over */
export function readColumns(text: string | undefined): string[] {
  const asked = text?.split(',') ?? USUAL
  const known = COLUMN_NAMES.filter((name) => asked.includes(name))
  return known.length === 0 ? USUAL : asked.filter((name) => known.includes(name))
}

/** Flags that have a column of their own in the row and are raised. */
export const raisedFlags = (row: HistoryRow): string[] =>
  DETECTION_FLAGS.flatMap(({ flag, column }) => (column !== null && row[column] === true ? [flag] : []))

/** A row opens by a click; the keyboard needs a link that leads to the same place. */
function TimeLink({ row }: { row: HistoryRow }) {
  const { domain = '' } = useParams({ strict: false })
  const params = { domain, requestId: row.request_id }
  return (
    <Anchor
      inherit
      c="inherit"
      className="one-line"
      renderRoot={(props) => <Link {...props} to="/d/$domain/identifications/$requestId" params={params} />}
    >
      <Time at={row.created_at} />
    </Anchor>
  )
}

const Flags = ({ row }: { row: HistoryRow }) => {
  const flags = raisedFlags(row)
  if (flags.length === 0) return <span className="dim">none</span>
  return (
    <Group gap={4} wrap="nowrap">
      {flags.slice(0, 2).map((flag) => (
        <Badge key={flag} flex="none" variant="default" size="sm" tt="none" fw={500}>
          {flag.replaceAll('_', ' ')}
        </Badge>
      ))}
      {flags.length > 2 && (
        <Text span size="xs" className="dim" title={flags.slice(2).join(', ')}>
          and {flags.length - 2} more
        </Text>
      )}
    </Group>
  )
}
