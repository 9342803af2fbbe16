import { createHash } from 'node:crypto'

/** How many rows in a row have the same one. */
export const ROWS_OF = {
  request: 1,
  session: 2,
  cookie: 5,
  device: 10,
  visitor: 10,
  user: 20,
  address: 10,
} as const

const hashOf = (name: keyof typeof ROWS_OF, domainId: number, row: number): string =>
  createHash('md5')
    .update(`${name} ${domainId} ${Math.floor(row / ROWS_OF[name])}`)
    .digest('hex')

function uuidOf(name: keyof typeof ROWS_OF, domainId: number, row: number): string {
  const hash = hashOf(name, domainId, row)
  const digits = `${hash.slice(0, 12)}4${hash.slice(13, 16)}8${hash.slice(17)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function addressOf(domainId: number, row: number): string {
  const hash = hashOf('address', domainId, row)
  return [0, 2, 4, 6].map((from) => Number.parseInt(hash.slice(from, from + 2), 16)).join('.')
}

/** The search for each identifier of a made row, with the number of rows that it finds. */
export const SEARCHES: Record<string, { path(domainId: number, row: number): string; total: number }> = {
  request_id: { path: (domainId, row) => uuidOf('request', domainId, row), total: ROWS_OF.request },
  session_id: { path: (domainId, row) => uuidOf('session', domainId, row), total: ROWS_OF.session },
  cookie_id: { path: (domainId, row) => uuidOf('cookie', domainId, row), total: ROWS_OF.cookie },
  device_id: { path: (domainId, row) => uuidOf('device', domainId, row), total: ROWS_OF.device },
  visitor_id: { path: (domainId, row) => uuidOf('visitor', domainId, row), total: ROWS_OF.visitor },
  user_hid: { path: (_, row) => `account-${Math.floor(row / ROWS_OF.user)}`, total: ROWS_OF.user },
  ip: { path: addressOf, total: ROWS_OF.address },
}
