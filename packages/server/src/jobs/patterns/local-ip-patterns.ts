import { BANDS } from '@inkling/contract'
import { DAY_MS } from '../../lib/durations.ts'
import { averageScore, type CountedRows, groupRows, type Pattern, type PatternRow } from './pattern.ts'

/** Accounts with the same home device that count as linked; in many households two people share one. */
const SHARED_HOME_MIN = 3

/** Accounts that may be linked: each was on a device with two or more others. Newest first. */
export function sharingAccounts(rows: readonly PatternRow[]): string[] {
  const sharing = new Set<string>()
  for (const onDevice of groupRows(rows, ({ deviceId }) => deviceId).values()) {
    const accounts = [...groupRows(onDevice, ({ account }) => account).keys()]
    if (accounts.length >= SHARED_HOME_MIN) for (const account of accounts) sharing.add(account)
  }
  return [...groupRows(rows, ({ account }) => account).keys()].filter((account) => sharing.has(account))
}

/**
 * Counts the accounts that share a home device with others, or whose average score is suspicious. An account with a
 * device of its own, or with none in particular (a school's computers), and a trusted score is a neighbour, and an
 * address where neighbours are the majority is clear. Seven days: a provider hands a home address to another home
 * sooner or later.
 */
export const manyAccountsOnLocalIp: Pattern = {
  name: 'many_accounts_on_local_ip',
  entity: 'local_ip',
  windowMs: 7 * DAY_MS,
  suspicious: { lowRisk: 10, highRisk: 4 },
  dangerous: { lowRisk: 20, highRisk: 8 },
  count(rows, homeDeviceOf) {
    const accounts = [...groupRows(rows, ({ account }) => account)]
    const homes = new Map(
      accounts.map(([account, ofAccount]) => {
        const home = homeDeviceOf(account)
        return [account, ofAccount.some(({ deviceId }) => deviceId === home) ? home : undefined] as const
      }),
    )
    const byHome = Map.groupBy(homes.values(), (home) => home)
    const linked = accounts.filter(([account, ofAccount]) => {
      const home = homes.get(account)
      const sharing = home === undefined ? 0 : (byHome.get(home)?.length ?? 0)
      return sharing >= SHARED_HOME_MIN || averageScore(ofAccount) >= BANDS.suspicious.from
    })
    return unlessMinority(
      linked.map(([, ofAccount]) => ofAccount),
      accounts.length,
    )
  },
}

/**
 * Counts the accounts that hide the same real address, each with a device and a public network (/24) that no other
 * of them uses. So a company's proxy is clear, because many people share its few networks; a carrier that sends
 * traffic from several of its own addresses is clear, because that is not hiding; and a carrier of whose many
 * customers some use a proxy is clear, because those are a minority. Seven days, as above.
 */
export const sharedLocalIp: Pattern = {
  name: 'shared_local_ip',
  entity: 'local_ip',
  windowMs: 7 * DAY_MS,
  suspicious: { lowRisk: 6, highRisk: 3 },
  dangerous: { lowRisk: 12, highRisk: 5 },
  count(rows) {
    const hiding = rows.filter(({ hidden, leakedIp }) => hidden && leakedIp !== undefined)
    const withOwnDevice = soleAccounts(hiding, ({ deviceId }) => deviceId)
    const withOwnNetwork = soleAccounts(hiding, ({ ip }) => (ip === undefined ? undefined : ip >>> 8))
    const unrelated = [...groupRows(hiding, ({ account }) => account)]
      .filter(([account]) => withOwnDevice.has(account) && withOwnNetwork.has(account))
      .map(([, ofAccount]) => ofAccount)
    return unlessMinority(unrelated, groupRows(rows, ({ account }) => account).size)
  },
}

/** Accounts with a value that no other account has. */
function soleAccounts(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => string | number | undefined,
): Set<string> {
  const sole = new Set<string>()
  for (const withValue of groupRows(rows, read).values()) {
    const accounts = new Set(withValue.flatMap(({ account }) => account ?? []))
    const [account] = accounts
    if (accounts.size === 1 && account !== undefined) sole.add(account)
  }
  return sole
}

/**
 * Counts nothing when fewer than half of an address's accounts stand out: a carrier or company has a few bad
 * accounts among many, and must not be accused for them.
 */
const unlessMinority = (accounts: readonly (readonly PatternRow[])[], total: number): CountedRows =>
  accounts.length * 2 < total ? { count: 0, rows: [] } : { count: accounts.length, rows: accounts.flat() }
