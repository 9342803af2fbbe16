import { averageScore, groupRows } from './distinct.ts'
import { homeDevice } from './home-device.ts'
import { ofMost } from './of-most.ts'
import { DAY_MS, type Pattern, type PatternRow } from './pattern.ts'

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
  suspicious: { calm: 10, risky: 4 },
  dangerous: { calm: 20, risky: 8 },
  weigh(rows) {
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
