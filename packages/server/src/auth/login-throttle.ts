import type { Pool } from 'pg'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { createAddressLimit, limitKeys } from '../lib/address-limit.ts'
import { AppError } from '../lib/errors.ts'
import { createConcurrencyLimit, createLimiter, type RateLimit, secondsToWait } from '../lib/limits.ts'

/** Passwords: a person mistypes a few times; a program that guesses gets nowhere. */
const PER_ADDRESS = { points: 10, windowSeconds: 60, blockSeconds: 0 }
/** What cannot be guessed, such as links and passkeys: bounds the work that a stranger can cause. */
const PER_ADDRESS_OPEN = { points: 30, windowSeconds: 60, blockSeconds: 0 }
/** One address at one account, and a known device at its account: failures only. */
const PER_PAIR = { points: 10, duration: 900 }
/**
 * An account from all unknown devices together: failures only. It takes several addresses to reach, and known devices
 * are not affected. At this rate a list of the commonest passwords takes days, and passwords are not on such a list.
 */
const PER_ACCOUNT = { points: 30, duration: 900 }
/** Each check takes 19 MiB and a thread of the pool. */
const IN_FLIGHT_MAX = 4

export interface LoginAttempt {
  /** False for who has shown a password or an access token already: an office has one address for many people. */
  stranger: boolean
  address: string
  /** Counted whether it exists or not, so that the error does not tell which accounts exist. */
  account: string
  /** A device that has signed in to this account before. */
  device?: string | undefined
  /** Called when this attempt is the first over a limit of the account. */
  onLocked?: () => void
}

export interface LoginThrottle {
  /**
   * Counts an attempt that nobody can guess, such as the use of a link or a passkey.
   * @throws AppError `INK_TOO_MANY_LOGINS`
   */
  take(address: string): Promise<void>
  /**
   * Runs one attempt; `check` returns undefined when it fails.
   * @throws AppError `INK_TOO_MANY_LOGINS`
   */
  attempt<Success>(
    attempt: LoginAttempt,
    check: () => Promise<Success | undefined>,
  ): Promise<Success | undefined>
}

/** Counts attempts to sign in, per client address, per account, and per known device of an account. */
export function createLoginThrottle(pool: Pool | undefined): LoginThrottle {
  const addresses = createAddressLimit(PER_ADDRESS, { name: 'login address', pool })
  const openAddresses = createAddressLimit(PER_ADDRESS_OPEN, { name: 'login open', pool })
  const pairs = createLimiter(PER_PAIR, { name: 'login pair', pool })
  const accounts = createLimiter(PER_ACCOUNT, { name: 'login account', pool })
  const checks = createConcurrencyLimit(IN_FLIGHT_MAX)

  async function takeAddress(limit: RateLimit, address: string): Promise<void> {
    if ((await limit.take(address)) !== 'allowed') throw tooMany(await limit.waitSeconds(address))
  }

  return {
    take: (address) => takeAddress(openAddresses, address),
    async attempt({ stranger, address, account, device, onLocked }, check) {
      if (stranger) await takeAddress(addresses, address)
      return checks.run(async () => {
        const pair = device === undefined ? `${limitKeys(address)[0]} ${account}` : `device ${device}`
        // Counted before the check, so that attempts at once do not all pass.
        await take(pairs, pair, PER_PAIR.points, onLocked)
        if (device === undefined) await take(accounts, account, PER_ACCOUNT.points, onLocked)
        const success = await check()
        if (success !== undefined) {
          await pairs.delete(pair)
          if (device === undefined) await accounts.delete(account)
        }
        return success
      })
    },
  }
}

async function take(
  limiter: ReturnType<typeof createLimiter>,
  key: string,
  points: number,
  onLocked?: () => void,
): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    if (error.consumedPoints === points + 1) onLocked?.()
    throw tooMany(secondsToWait(error.msBeforeNext))
  }
}

const tooMany = (retryAfterSeconds: number): AppError =>
  new AppError('INK_TOO_MANY_LOGINS', undefined, { retryAfterSeconds })
