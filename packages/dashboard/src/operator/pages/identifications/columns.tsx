import { DETECTION_FLAGS, type HistoryRow, NO_IPV4 } from '@inkling/contract'
import type { IdentificationList } from '@inkling/contract/account'
import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScoreBadge } from '../../parts/badges.tsx'
import { Time, words } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'

interface Column {
  title: string
  width: number
  show(row: ListedRow): ReactNode
}

/** A row, with how much is known of its visit where that was judged, and the agent that it declares. */
export type ListedRow = HistoryRow & {
  evidence: number | undefined
  agent: IdentificationList['agents'][string] | undefined
}

const plain = (text: string | undefined): ReactNode =>
  text === undefined || text === '' ? <span className="dim">unknown</span> : text

/** Every column that can be chosen, in the order of the column menu. */
export const COLUMNS: Record<string, Column> = {
  time: { title: 'Time', width: 210, show: (row) => <TimeLink row={row} /> },
  score: {
    title: 'Score',
    width: 190,
    show: (row) => <ScoreBadge score={row.score} evidence={row.evidence} />,
  },
  flags: { title: 'Flags', width: 260, show: (row) => <Flags row={row} /> },
  agent: { title: 'Agent', width: 200, show: (row) => <DeclaredAgent agent={row.agent} /> },
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
  local_ip: {
    title: 'Local IP',
    width: 140,
    show: (row) => <Identifier type="local_ip" value={localIpOf(row)} />,
  },
  country: { title: 'Country', width: 150, show: (row) => plain(row.country) },
  connection: { title: 'Connection', width: 120, show: (row) => plain(words(row.connection_type)) },
  browser: { title: 'Browser', width: 120, show: (row) => plain(row.browser) },
  os: { title: 'System', width: 120, show: (row) => plain(row.os) },
  device_type: { title: 'Device type', width: 110, show: (row) => plain(row.device_type) },
  channel: { title: 'Traffic channel', width: 150, show: (row) => plain(row.traffic_channel) },
  host: { title: 'Host', width: 170, show: (row) => plain(row.domain) },
}

export const COLUMN_NAMES = Object.keys(COLUMNS)
const DEFAULT_COLUMNS = [
  'time',
  'score',
  'flags',
  'account',
  'device',
  'ip',
  'country',
  'connection',
  'browser',
]

/** @param text column names, separated by commas; unknown ones are ignored */
export function readColumns(text: string | undefined): string[] {
  const asked = text?.split(',') ?? DEFAULT_COLUMNS
  const known = COLUMN_NAMES.filter((name) => asked.includes(name))
  return known.length === 0 ? DEFAULT_COLUMNS : asked.filter((name) => known.includes(name))
}

/** The address behind the public one: the one that the browser leaked, or else the one that the network check saw. */
export const localIpOf = ({ webrtc_leak_ip, web_rtc_ip }: HistoryRow): string =>
  webrtc_leak_ip === '' || webrtc_leak_ip === NO_IPV4 ? web_rtc_ip : webrtc_leak_ip

/** The flags that are set on a row. */
export const raisedFlags = (row: HistoryRow): string[] =>
  DETECTION_FLAGS.flatMap(({ flag, column }) => (column !== null && row[column] === true ? [flag] : []))

/** A click anywhere on a row opens it; this link does the same for the keyboard. */
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

const DeclaredAgent = ({ agent }: Pick<ListedRow, 'agent'>) =>
  agent ? (
    <Group gap={4} wrap="nowrap">
      <Text span size="sm" truncate>
        {agent.name}
      </Text>
      <Badge flex="none" variant="default" size="sm" tt="none" fw={500}>
        {words(agent.identity)}
      </Badge>
    </Group>
  ) : (
    <span className="dim">none</span>
  )

const Flags = ({ row }: { row: HistoryRow }) => {
  const flags = raisedFlags(row)
  if (flags.length === 0) return <span className="dim">none</span>
  return (
    <Group gap={4} wrap="nowrap">
      {flags.slice(0, 2).map((flag) => (
        <Badge key={flag} flex="none" variant="default" size="sm" tt="none" fw={500}>
          {words(flag)}
        </Badge>
      ))}
      {flags.length > 2 && (
        <Text span size="xs" className="dim one-line" title={flags.slice(2).map(words).join(', ')}>
          +{flags.length - 2} more
        </Text>
      )}
    </Group>
  )
}
