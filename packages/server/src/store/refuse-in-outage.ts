import { Refusal } from '../lib/refusal.ts'
import { isOutage } from './is-outage.ts'

/**
 * Runs work on the database for a request that may be sent again.
 * @throws Refusal `server is busy` where the database cannot do it now
 */
export async function refuseInOutage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (isOutage(cause)) throw new Refusal('server_busy', 'server is busy', { cause })
    throw cause
  }
}
