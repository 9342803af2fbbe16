import type { ReactNode } from 'react'
import { words } from '../../parts/format.tsx'
import { AgentCell, FlagsCell, IdentifierCell, PlainCell, ScoreCell, TimeCell } from './cells.tsx'
import type { ListedRow } from './listed-row.ts'

interface Column {
  title: string
  width: number
  show(row: ListedRow, domain: string): ReactNode
}

/** Every column that can be chosen, in the order of the column menu. */
export const COLUMNS: Record<string, Column> = {
  time: { title: 'Time', width: 210, show: (row, domain) => <TimeCell row={row} domain={domain} /> },
  score: {
    title: 'Score',
    width: 215,
    show: (row) => <ScoreCell row={row} />,
  },
  flags: { title: 'Flags', width: 280, show: (row) => <FlagsCell flags={row.flags} /> },
  agent: { title: 'Agent', width: 200, show: (row) => <AgentCell agent={row.agent} /> },
  account: {
    title: 'Account',
    width: 130,
    show: (row, domain) => <IdentifierCell type="user_hid" value={row.user_hid} domain={domain} />,
  },
  device: {
    title: 'Device',
    width: 110,
    show: (row, domain) => <IdentifierCell type="device_id" value={row.device_id} domain={domain} />,
  },
  visitor: {
    title: 'Visitor',
    width: 110,
    show: (row, domain) => <IdentifierCell type="visitor_id" value={row.visitor_id} domain={domain} />,
  },
  session: {
    title: 'Session',
    width: 110,
    show: (row, domain) => <IdentifierCell type="session_id" value={row.session_id} domain={domain} />,
  },
  cookie: {
    title: 'Cookie',
    width: 110,
    show: (row, domain) => <IdentifierCell type="cookie_id" value={row.cookie_id} domain={domain} />,
  },
  request: {
    title: 'Request ID',
    width: 110,
    show: (row, domain) => <IdentifierCell type="request_id" value={row.request_id} domain={domain} />,
  },
  ip: {
    title: 'IP address',
    width: 165,
    show: (row, domain) => <IdentifierCell type="ip" value={row.ip} domain={domain} />,
  },
  local_ip: {
    title: 'Local IP',
    width: 165,
    show: (row, domain) => <IdentifierCell type="local_ip" value={row.local_ip} domain={domain} />,
  },
  country: { title: 'Country', width: 150, show: (row) => <PlainCell text={row.country} /> },
  connection: {
    title: 'Connection',
    width: 120,
    show: (row) => <PlainCell text={words(row.connection_type)} />,
  },
  browser: { title: 'Browser', width: 120, show: (row) => <PlainCell text={row.browser} /> },
  os: { title: 'System', width: 120, show: (row) => <PlainCell text={row.os} /> },
  device_type: { title: 'Device type', width: 110, show: (row) => <PlainCell text={row.device_type} /> },
  channel: { title: 'Traffic channel', width: 150, show: (row) => <PlainCell text={row.traffic_channel} /> },
  host: { title: 'Host', width: 170, show: (row) => <PlainCell text={row.domain} /> },
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
