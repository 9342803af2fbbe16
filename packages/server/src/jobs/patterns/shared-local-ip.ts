import { groupRows } from './distinct.ts'
import { ofMost } from './of-most.ts'
import { DAY_MS, type Pattern, type PatternRow } from './pattern.ts'

/**
 * Counts the accounts behind one real address that hide it, each with a device and a public network (/24) that
 * no other one of them has. A company's proxy has few networks for many people, and a carrier's other addresses
 * do not count as hiding, nor do those of its customers who use a proxy among many who do not. Seven days, as for the accounts of a local IP.
 */
export const sharedLocalIp: Pattern = {
  name: 'shared_local_ip',
  entity: 'local_ip',
  windowMs: 7 * DAY_MS,
  suspicious: { calm: 6, risky: 3 },
  dangerous: { calm: 12, risky: 5 },
  weigh(rows) {
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
