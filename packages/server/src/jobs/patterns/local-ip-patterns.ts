import {
  averageScore,
  DAY_MS,
  groupRows,
  homeDevice,
  type Pattern,
  type PatternRow,
  type Counted,
} from './pattern.ts'

/** Where the suspicious scores begin. */
const SUSPICIOUS_SCORE = 30
/** Accounts that live on one device before they are connected: two share one in many households. */
const HOUSEMATES_MIN = 3

/**
 * Counts the accounts that live on one device with others or have a suspicious score: an account with a device
 * of its own, or with none in particular (a school's computers), and a trusted score is a neighbour. Where
 * neighbours are the majority, it is their connection. Seven days, because the address of a home passes to
 * another home sooner or later.
 */
export const manyAccountsOnLocalIp: Pattern = {
  name: 'many_accounts_on_local_ip',
  entity: 'local_ip',
  windowMs: 7 * DAY_MS,
  suspicious: { lowRisk: 10, highRisk: 4 },
  dangerous: { lowRisk: 20, highRisk: 8 },
  count(rows) {
    const accounts = [...groupRows(rows, ({ account }) => account).values()]
    const homes = Map.groupBy(accounts, homeOf)
    const connected = accounts.filter((those) => {
      const home = homeOf(those)
      const housemates = home === undefined ? 0 : (homes.get(home)?.length ?? 0)
      return housemates >= HOUSEMATES_MIN || averageScore(those) >= SUSPICIOUS_SCORE
    })
    return ofMost(connected, accounts.length)
  },
}

const homeOf = (rows: readonly PatternRow[]): string | undefined =>
  homeDevice(rows.map(({ deviceId }) => deviceId))

/**
 * Counts the accounts behind one real address that hide it, each with a device and a public network (/24) that
 * no other one of them has. A company's proxy has few networks for many people, and a carrier's other addresses
 * do not count as hiding, nor do those of its customers who use a proxy among many who do not. Seven days, as for the accounts of a local IP.
 */
export const sharedLocalIp: Pattern = {
  name: 'shared_local_ip',
  entity: 'local_ip',
  windowMs: 7 * DAY_MS,
  suspicious: { lowRisk: 6, highRisk: 3 },
  dangerous: { lowRisk: 12, highRisk: 5 },
  count(rows) {
    const hiding = rows.filter(({ hidden, leakedIp }) => hidden && leakedIp !== undefined)
    const ofDevice = soleAccounts(hiding, ({ deviceId }) => deviceId)
    const ofNetwork = soleAccounts(hiding, ({ ip }) => (ip === undefined ? undefined : ip >>> 8))
    const unrelated = [...groupRows(hiding, ({ account }) => account)].filter(
      ([account]) => ofDevice.has(account) && ofNetwork.has(account),
    )
    const all = groupRows(rows, ({ account }) => account).size
    return ofMost(
      unrelated.map(([, those]) => those),
      all,
    )
  },
}

/** Accounts with a value that no other account has. */
function soleAccounts(
  rows: readonly PatternRow[],
  read: (row: PatternRow) => string | number | undefined,
): Set<string> {
  const sole = new Set<string>()
  for (const those of groupRows(rows, read).values()) {
    const accounts = new Set(those.flatMap(({ account }) => account ?? []))
    const [account] = accounts
    if (accounts.size === 1 && account !== undefined) sole.add(account)
  }
  return sole
}

/**
 * Accounts of an address, as long as they are half of all that are seen there: a carrier or company has bad
 * ones among its many, and must not be accused for them.
 */
export const ofMost = (accounts: readonly (readonly PatternRow[])[], all: number): Counted =>
  accounts.length * 2 < all ? { count: 0, rows: [] } : { count: accounts.length, rows: accounts.flat() }
