import { API_KEYS_MAX, ApiKeys, MadeApiKey } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { rotateKey } from '../../test/rotate-key.ts'
import { surface } from '../../test/temporary-surface.ts'
import { createKeyCheck } from '../auth/admit-key.ts'
import { rotateApiKey } from '../auth/api-keys.ts'
import { createKeyUses } from '../auth/key-uses.ts'
import { historyRoutes, SEARCH_PREFIX } from '../history/history-routes.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { errorCodeOf } from '../lib/errors.ts'
import { createRateLimit } from '../lib/limits.ts'
import { domainStore } from '../store/domains/domains.ts'

const KEYS = '/account/domains/shop.example/api-keys'

/** The account API, with the check of keys that the routes for backends use. */
async function keySurface() {
  const surface = await accountSurface()
  const now = () => surface.clock.nowMs
  const uses = createKeyUses({ store: surface.store, now })
  const check = createKeyCheck({ directory: surface.directory, uses, now })
  const post = (url: string, payload: object) => surface.ask({ method: 'POST', url, payload })
  return {
    ...surface,
    uses,
    post,
    made: async (url: string, payload: object) =>
      MadeApiKey.strict().parse((await post(url, payload)).json()),
    /** The name of the domain, or the code of the refusal. */
    admitted(key: string, scope: Parameters<typeof check>[1] = 'decide'): string | undefined {
      try {
        return check(`Bearer ${key}`, scope).name
      } catch (error) {
        return errorCodeOf(error)
      }
    },
  }
}

const UNKNOWN = 'INK_INVALID_API_KEY'
const listed = async ({ ask }: Pick<AccountSurface, 'ask'>) =>
  ApiKeys.strict().parse((await ask({ url: KEYS })).json()).data

test('a key opens what its scopes say, is shown once and stored as a hash', async () => {
  const surface = await keySurface()
  const { made, admitted, ask, store } = surface
  const { key, api_key } = await made(KEYS, {
    name: 'Checkout',
    scopes: ['decide', 'labels:write', 'decide'],
  })
  expect(api_key).toMatchObject({ scopes: ['decide', 'labels:write'], tail: key.slice(-4), used_at: null })
  expect([admitted(key), admitted(key, 'labels:write')]).toEqual(['shop.example', 'shop.example'])
  expect([admitted(key, 'history:read'), admitted(key, 'assess')]).toEqual([
    'INK_WRONG_SCOPE',
    'INK_WRONG_SCOPE',
  ])
  expect(await listed(surface)).toHaveLength(1)
  const everywhere = [
    (await ask({ url: KEYS })).body,
    (await ask({ url: '/account/audit' })).body,
    JSON.stringify(await store.reads.selectFrom('api_keys').selectAll().execute()),
  ]
  for (const text of everywhere) expect(text).not.toContain(key)
})

test('an expired key, a revoked one and one of a disabled domain are like one that never was', async () => {
  const { made, admitted, ask, clock, store, domainId, directory } = await keySurface()
  const expires_at = new Date(clock.nowMs + HOUR_MS).toISOString()
  const { key: expiring } = await made(KEYS, { name: 'Trial', scopes: ['decide'], expires_at })
  const { key: revoked, api_key } = await made(KEYS, { name: 'Leaked', scopes: ['decide'] })
  const { key } = await made(KEYS, { name: 'Checkout', scopes: ['decide'] })
  expect([admitted(expiring), admitted(revoked)]).toEqual(['shop.example', 'shop.example'])
  expect((await ask({ method: 'DELETE', url: `${KEYS}/${api_key.id}` })).statusCode).toBe(204)
  expect((await ask({ method: 'DELETE', url: `${KEYS}/${api_key.id}` })).statusCode).toBe(404)
  clock.nowMs += HOUR_MS
  // Without the scope, too: who has no key any more learns nothing of it.
  for (const key of [expiring, revoked, 'sec_none'])
    expect([admitted(key), admitted(key, 'assess')]).toEqual([UNKNOWN, UNKNOWN])

  expect(admitted(key)).toBe('shop.example')
  await domainStore(store.writes).change(domainId, { enabled: 0 })
  await directory.refresh()
  expect(admitted(key)).toBe(UNKNOWN)
})

/** Rotates a key at the time of the surface; sessions of the account API would end on the way. */
const rotator =
  ({ store, domainId, directory, clock }: AccountSurface, id: string) =>
  async (overlapHours: number, expiresAtMs?: number | null): Promise<string> => {
    const rotation = { overlapHours, expiresAtMs, nowMs: clock.nowMs }
    const made = await store.writes
      .transaction()
      .execute((transaction) => rotateApiKey(transaction, domainId, id, rotation))
    await directory.refresh()
    if (!made) throw new Error('no such key')
    return made.key
  }

test('after a rotation both keys are valid for the chosen time, and never more than two', async () => {
  const surface = await keySurface()
  const { made, admitted, clock } = surface
  const { key: first, api_key } = await made(KEYS, { name: 'Checkout', scopes: ['decide'] })
  const rotated = await made(`${KEYS}/${api_key.id}/rotate`, { overlap_hours: 2 })
  const second = rotated.key
  expect(rotated.api_key).toMatchObject({ id: api_key.id, scopes: ['decide'], name: 'Checkout' })
  expect([admitted(first), admitted(second)]).toEqual(['shop.example', 'shop.example'])
  clock.nowMs += HOUR_MS
  const rotate = rotator(surface, api_key.id)
  const third = await rotate(2)
  expect([first, second, third].map((key) => admitted(key))).toEqual([
    UNKNOWN,
    'shop.example',
    'shop.example',
  ])
  clock.nowMs += 2 * HOUR_MS
  expect([admitted(second), admitted(third)]).toEqual([UNKNOWN, 'shop.example'])
  const fourth = await rotate(0)
  expect([admitted(third), admitted(fourth)]).toEqual([UNKNOWN, 'shop.example'])
})

test('an old key does not outlive a new one that ends before the overlap', async () => {
  const surface = await keySurface()
  const { made, admitted, clock } = surface
  const { key: first, api_key } = await made(KEYS, { name: 'Checkout', scopes: ['decide'] })
  const second = await rotator(surface, api_key.id)(720, clock.nowMs + HOUR_MS)
  expect([admitted(first), admitted(second)]).toEqual(['shop.example', 'shop.example'])
  clock.nowMs += HOUR_MS
  expect([admitted(first), admitted(second)]).toEqual([UNKNOWN, UNKNOWN])
})

test('a later expiry does not make an old key valid again or for longer', async () => {
  const surface = await keySurface()
  const { made, admitted, clock } = surface
  const expires_at = new Date(clock.nowMs + HOUR_MS).toISOString()
  const { key: first, api_key } = await made(KEYS, { name: 'Trial', scopes: ['decide'], expires_at })
  const rotate = rotator(surface, api_key.id)
  const second = await rotate(720, clock.nowMs + 3 * HOUR_MS)
  clock.nowMs += HOUR_MS
  expect([admitted(first), admitted(second)]).toEqual([UNKNOWN, 'shop.example'])
  clock.nowMs += 2 * HOUR_MS
  expect(admitted(second)).toBe(UNKNOWN)
  await expect(rotate(1)).rejects.toThrow(/^expires_at: the key has expired/)
  const third = await rotate(720, null)
  expect([admitted(second), admitted(third)]).toEqual([UNKNOWN, 'shop.example'])
})

test('the last use is known to the hour, and an hour of requests is one write', async () => {
  const surface = await keySurface()
  const { made, admitted, uses, clock, store } = surface
  const { key } = await made(KEYS, { name: 'Checkout', scopes: ['decide'] })
  const version = await domainStore(store.reads).directoryVersion()
  const hour = clock.nowMs
  clock.nowMs += 60_000
  admitted(key)
  await uses.flush()
  expect((await listed(surface))[0]?.used_at).toBe(new Date(hour).toISOString())
  // What another server wrote later stays.
  await store.writes
    .updateTable('api_keys')
    .set({ used_at: hour + HOUR_MS })
    .execute()
  admitted(key)
  await uses.flush()
  expect((await listed(surface))[0]?.used_at).toBe(new Date(hour + HOUR_MS).toISOString())
  expect(await domainStore(store.reads).directoryVersion()).toBe(version)
})

test('a domain has one key of a name and at most 50; bad input makes none', async () => {
  const surface = await keySurface()
  const { made, post, clock } = surface
  const past = new Date(clock.nowMs).toISOString()
  for (const payload of [
    { name: '', scopes: ['decide'] },
    { name: 'A', scopes: [] },
    { name: 'A', scopes: ['everything'] },
    { name: 'A', scopes: ['decide'], expires_at: past },
  ])
    expect((await post(KEYS, payload)).statusCode).toBe(400)
  for (let n = 1; n <= 50; n++) await made(KEYS, { name: `Key ${n}`, scopes: ['decide'] })
  expect((await post(KEYS, { name: 'Key 51', scopes: ['decide'] })).json().error).toMatch(/has 50 keys/)
  const [one] = await listed(surface)
  await surface.ask({ method: 'DELETE', url: `${KEYS}/${one?.id}` })
  expect((await post(KEYS, { name: 'Key 2', scopes: ['decide'] })).json().error).toBe(
    'another key has this name',
  )
})

test('the audit log has who made, rotated and revoked which key, without its name', async () => {
  const { made, ask, actions } = await keySurface()
  const { api_key } = await made(KEYS, { name: 'Checkout', scopes: ['decide'] })
  await made(`${KEYS}/${api_key.id}/rotate`, { overlap_hours: 0 })
  await ask({ method: 'DELETE', url: `${KEYS}/${api_key.id}` })
  expect((await actions()).slice(0, 3)).toEqual(['api_key.revoke', 'api_key.rotate', 'api_key.add'])
  const { data } = (await ask({ url: '/account/audit' })).json()
  expect(
    data.slice(0, 3).map(({ actor, detail }: { actor: string; detail: object }) => ({ actor, ...detail })),
  ).toEqual([
    { actor: 'owner@shop.example', key: api_key.id },
    {
      actor: 'owner@shop.example',
      key: api_key.id,
      scopes: 'decide',
      expires_at: 'never',
      old_key_until: 'now',
    },
    { actor: 'owner@shop.example', key: api_key.id, scopes: 'decide', expires_at: 'never' },
  ])
})

test('a domain has fifty keys at most, also when they are made at the same moment', async () => {
  const { ask } = await keySurface()
  const answers = await Promise.all(
    Array.from({ length: API_KEYS_MAX + 6 }, (_, index) =>
      ask({
        method: 'POST',
        url: KEYS,
        payload: { name: `Key ${index}`, scopes: ['decide'], expires_at: null },
      }),
    ),
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 409)
  expect(refused).toHaveLength(6)
  expect((await ask({ url: KEYS })).json().data).toHaveLength(API_KEYS_MAX)
})

test('all keys of a domain count against its one limit', async () => {
  const { made, directory, store, uses, clock, secrets, domainId } = await keySurface()
  const keys = [
    await rotateKey(store, secrets, domainId, 'api'),
    (await made(KEYS, { name: 'One', scopes: ['history:read'] })).key,
    (await made(KEYS, { name: 'Two', scopes: ['history:read'] })).key,
  ]
  const admit = createKeyCheck({ directory, uses, now: () => clock.nowMs })
  const limit = createRateLimit(
    { points: 2, windowSeconds: 60, blockSeconds: 0 },
    { name: 'history', pool: undefined },
  )
  const app = surface(historyRoutes({ directory, admit, store, limit }), [SEARCH_PREFIX])
  const url = `${SEARCH_PREFIX}user_hid/ada`
  const statuses: number[] = []
  for (const key of keys)
    statuses.push((await app.inject({ url, headers: { authorization: `Bearer ${key}` } })).statusCode)
  expect(statuses).toEqual([200, 200, 429])
})
