import { expect, test } from 'vitest'
import { createAddressLimit } from '../../src/lib/address-limit.ts'
import { createRateLimit, type RateLimitOptions } from '../../src/lib/limits.ts'
import { erase } from '../../src/store/erasure/erase.ts'
import { temporaryStore } from '../temporary-store.ts'
import { temporaryDomain } from '../temporary-surface.ts'

/** Requests from more addresses than a limit should ever have to remember. */

const KEYS_MAX = 20
const FLOOD = 300

test('a limit remembers a bounded number of addresses, and goes on counting new ones', async () => {
  const { pool } = (await temporaryStore()).store
  const options = { points: 1, windowSeconds: 60, blockSeconds: 600 }
  const limit = createRateLimit(options, { name: 'flooded', pool, keysMax: KEYS_MAX })

  if (pool) {
    await pool.query(
      "insert into limits (key, points, expire) select 'filled:' || n, 1, $1 from generate_series(1, $2) n",
      [Date.now() + 600_000, FLOOD],
    )
    const keys = async () => {
      const { rows } = await pool.query<{ keys: number }>('select count(*) as keys from limits')
      return rows[0]?.keys ?? 0
    }
    // How many keys there are is asked for beside the requests.
    let address = 0
    await expect
      .poll(async () => {
        const before = await keys()
        await limit.take(`address ${address++}`)
        return (await keys()) - before
      })
      .toBe(0)
  } else {
    const blocked = () => limit.take('first')
    expect([await blocked(), await blocked(), await blocked()]).toEqual(['allowed', 'exceeded', 'blocked'])
    for (let address = 0; address < FLOOD; address += 1) await limit.take(`address ${address}`)
    // Forgotten, as the least recent of more than it may remember.
    expect(await blocked()).toBe('allowed')
  }
  const take = () => limit.take('someone new')
  expect([await take(), await take(), await take()]).toEqual(['allowed', 'exceeded', 'blocked'])
})

test.each(['192.0.2.7', '2001:db8::7'])(
  'erasing %s gives nobody at it new attempts to sign in',
  async (address) => {
    const { store, domainId } = await temporaryDomain()
    const options: RateLimitOptions = { points: 1, windowSeconds: 60, blockSeconds: 600 }
    const { pool } = store
    const ofLogins = createAddressLimit(options, { name: 'login address', pool })
    const ofVisits = createAddressLimit(options, { name: 'ingest', pool })
    for (const limit of [ofLogins, ofVisits]) {
      await limit.take(address)
      expect(await limit.take(address)).toBe('exceeded')
    }
    await erase(store, domainId, { type: 'ip', value: address })
    if (pool) {
      const { rows } = await pool.query<{ key: string }>('select key from limits')
      expect(rows.map(({ key }) => key.split(':', 1)[0])).toEqual(expect.arrayContaining(['login address']))
      expect(rows.filter(({ key }) => key.startsWith('ingest'))).toEqual([])
    }
    expect(await ofLogins.take(address)).not.toBe('allowed')
  },
)
