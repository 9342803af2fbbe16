import type { Pool } from 'pg'
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { createAddressLimit } from '../lib/address-limit.ts'
import { AppError } from '../lib/errors.ts'
import { createConcurrencyLimit, createLimiter } from '../lib/limits.ts'

/** A person mistypes a few times; a program that guesses gets nowhere. */
const PER_ADDRESS = { points: 10, windowSeconds: 60, blockSeconds: 0 }
/** Counts failures only, from all addresses together. */
const PER_ACCOUNT = { points: 10, duration: 900 }
/** Each check takes 19 MiB and a thread of the pool. */
const IN_FLIGHT_MAX = 4

export interface LoginThrottle {
  /**
   * Runs one attempt; `check` returns undefined when it fails.
   * @param account counted whether it exists or not, so that the error does not tell which accounts exist
   * @throws AppError `INK_TOO_MANY_LOGINS`
   */
  attempt<Success>(
    address: string,
    account: string,
    check: () => Promise<Success | undefined>,
  ): Promise<Success | undefined>
}

/** Counts attempts to sign in, per client address and per account. */
export function createLoginThrottle(pool: Pool | undefined): LoginThrottle {
  const addresses = createAddressLimit(PER_ADDRESS, { name: 'login address', pool })
  const accounts = createLimiter(PER_ACCOUNT, { name: 'login account', pool })
  const checks = createConcurrencyLimit(IN_FLIGHT_MAX)

  return {
    async attempt(address, account, check) {
      if ((await addresses.take(address)) !== 'allowed') throw new AppError('INK_TOO_MANY_LOGINS')
      return checks.run(async () => {
        // Counted before the check, so that attempts at once do not all pass.
        await take(accounts, account)
        const success = await check()
        if (success !== undefined) await accounts.delete(account)
        return success
      })
    },
  }
}

async function take(limiter: Pick<RateLimiterAbstract, 'consume'>, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new AppError('INK_TOO_MANY_LOGINS')
  }
}
