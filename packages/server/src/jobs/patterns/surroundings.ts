import { namesOne } from '@inkling/sdk'
import type { Kysely } from 'kysely'
import { uuidToText } from '../../lib/uuid.ts'
import { devicesOfAccount } from '../../store/pattern-rows.ts'
import type { Schema } from '../../store/schema.ts'
import { groupRows } from './distinct.ts'
import { homeDevice } from './home-device.ts'
import { DAY_MS, type PatternRow, type Surroundings } from './pattern.ts'

/** More than any grade asks for: the newest accounts of a device speak for the others. */
const ACCOUNTS_MAX = 100
const HOME_MS = 30 * DAY_MS

/** Reads where the accounts of a device are at home. */
export async function surroundingsOf(
  db: Kysely<Schema>,
  domainId: number,
  rows: readonly PatternRow[],
  nowMs: number,
): Promise<Surroundings> {
  const homes = new Map<string, string>()
  for (const account of [...groupRows(rows, (row) => row.account).keys()].slice(0, ACCOUNTS_MAX)) {
    const devices = await devicesOfAccount(db, domainId, account, nowMs - HOME_MS)
    const home = homeDevice(devices.map(uuidToText).map((id) => (namesOne(id) ? id : undefined)))
    if (home !== undefined) homes.set(account, home)
  }
  return { homeOf: (account) => homes.get(account) }
}

export const NO_SURROUNDINGS: Surroundings = { homeOf: () => undefined }
