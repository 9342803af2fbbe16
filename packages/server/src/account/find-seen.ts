import { namesAccount, presentTime } from '@inkling/contract'
import { FOUND_MAX, type SeenKind, type SeenSubject } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { ipv4ToNumber } from '../lib/address.ts'
import { uuidToText } from '../lib/uuid.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import { entityRows, localIpRows } from '../store/identifications/identifications.ts'
import { lookupOf, networkOf } from '../store/identifications/lookup.ts'
import {
  accountsBetween,
  beginningWith,
  type IdColumn,
  idsBetween,
  isNetworkSeen,
  requestsBetween,
} from '../store/identifications/seen-ids.ts'
import { isCountrySeen } from '../store/roll-ups/seen-countries.ts'
import type { Schema } from '../store/schema.ts'
import { PREFIX_CHARACTERS_MIN, type Recognised, type TypedId } from './recognise.ts'

const ID_COLUMNS = {
  device: 'device_id',
  visitor: 'visitor_id',
  session: 'session_id',
  cookie: 'cookie_id',
} as const satisfies Partial<Record<SeenKind, IdColumn>>

export const ID_KINDS = ['request', 'device', 'visitor', 'session', 'cookie'] as const

/** Of an address that many browsers share, behind which few are. */
const LOCAL_ROWS_MAX = 200

/** What the identifications of a domain have of all that a text can mean. Reads indexes only. */
export async function findSeen(
  db: Kysely<Schema>,
  domainId: number,
  { text, id, address, network, countries }: Recognised,
  nowMs: number,
): Promise<SeenSubject[]> {
  const found = await Promise.all([
    ...(id ? ID_KINDS.map((kind) => seenIds(db, domainId, kind, id)) : []),
    seenAccounts(db, domainId, text),
    ...(address === undefined
      ? []
      : [seenAddress(db, domainId, address), seenLocalAddress(db, domainId, address)]),
    ...(network === undefined ? [] : [seenNetwork(db, domainId, network)]),
    ...countries.map(async ({ name }) =>
      (await isCountrySeen(db, domainId, name, nowMs)) ? [undated('country', name)] : [],
    ),
  ])
  return found.flat()
}

const undated = (kind: SeenKind, value: string): SeenSubject => ({ kind, value, last_seen_at: null })
const dated = (kind: SeenKind, value: string, lastAt: number): SeenSubject => ({
  kind,
  value,
  last_seen_at: presentTime(lastAt),
})

async function seenIds(
  db: Kysely<Schema>,
  domainId: number,
  kind: (typeof ID_KINDS)[number],
  { first, last, text, isWhole }: TypedId,
): Promise<SeenSubject[]> {
  const found =
    kind === 'request'
      ? await requestsBetween(db, domainId, [first, last], FOUND_MAX)
      : await idsBetween(db, domainId, ID_COLUMNS[kind], [first, last], FOUND_MAX)
  if (found.length === 0 && kind === 'device' && isWhole) return seenAlias(db, domainId, text)
  return found
    .toSorted((one, other) => other.lastAt - one.lastAt)
    .map(({ value, lastAt }) => dated(kind, uuidToText(value), lastAt))
}

/** A device whose visits all have another of its IDs. */
async function seenAlias(db: Kysely<Schema>, domainId: number, deviceId: string): Promise<SeenSubject[]> {
  const lookup = await withAliases(db, domainId, lookupOf('device_id', deviceId))
  if (!lookup.aliases) return []
  const { rows } = await entityRows(db, domainId, lookup, 1)
  return rows.map(({ created_at }) => dated('device', deviceId, created_at))
}

/** Accounts are stored as they were sent; somebody who types one may not remember its capitals. */
async function seenAccounts(db: Kysely<Schema>, domainId: number, text: string): Promise<SeenSubject[]> {
  if (text === '') return []
  const spellings = [...new Set([text, text.toLowerCase()])]
  const found = await Promise.all(
    spellings.map((spelling) => {
      const isWhole = spelling.length < PREFIX_CHARACTERS_MIN
      const range = isWhole ? ([spelling, spelling] as const) : beginningWith(spelling)
      return accountsBetween(db, domainId, range, FOUND_MAX)
    }),
  )
  return found
    .flat()
    .filter(({ value }) => namesAccount(value))
    .toSorted((one, other) => other.lastAt - one.lastAt)
    .slice(0, FOUND_MAX)
    .map(({ value, lastAt }) => dated('account', value, lastAt))
}

async function seenAddress(db: Kysely<Schema>, domainId: number, address: string): Promise<SeenSubject[]> {
  const { rows } = await entityRows(db, domainId, lookupOf('ip', address), 1)
  return rows.map(({ created_at }) => dated('address', address, created_at))
}

async function seenLocalAddress(
  db: Kysely<Schema>,
  domainId: number,
  address: string,
): Promise<SeenSubject[]> {
  const number = ipv4ToNumber(address)
  if (number === undefined) return []
  const { rows } = await localIpRows(db, domainId, number, LOCAL_ROWS_MAX)
  return rows.slice(0, 1).map(({ created_at }) => dated('local_address', address, created_at))
}

async function seenNetwork(db: Kysely<Schema>, domainId: number, network: string): Promise<SeenSubject[]> {
  const searched = networkOf(network)
  return searched && (await isNetworkSeen(db, domainId, searched)) ? [undated('network', network)] : []
}
