import { AccountDomain, NewDomainKeys, RotatedVerdictKey } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { hashKey } from '../auth/keys.ts'

test('a domain can be added once; its keys work at once and are shown only then', async () => {
  const { ask, directory } = await accountSurface()
  const add = (domain: string) => ask({ method: 'POST', url: '/account/domains', payload: { domain } })
  const answer = await add('blog.example')
  expect(answer.statusCode).toBe(201)
  const keys = NewDomainKeys.strict().parse(answer.json())
  expect(directory.byPublicKey(keys.public_key)?.name).toBe('blog.example')
  expect(directory.apiKey(hashKey(keys.api_key))?.domain.name).toBe('blog.example')
  expect((await add('blog.example')).statusCode).toBe(409)

  const { body } = await ask({ url: '/account/domains' })
  expect(body).toContain(keys.public_key)
  for (const secret of [keys.api_key, keys.secret_key]) expect(body).not.toContain(secret)
})

test('verdicts are sealed by a key that is shown once, and the one before it seals until the overlap is over', async () => {
  const { ask, clock, directory, actions, tokens } = await accountSurface({ secretOverlapMs: 3_600_000 })
  const url = '/account/domains/shop.example'
  const patch = (sealed_verdicts: boolean) => ask({ method: 'PATCH', url, payload: { sealed_verdicts } })
  const rotate = async (payload: object, token = tokens.owner) =>
    ask({ method: 'POST', url: `${url}/verdict-key/rotate`, payload, token })
  const sealing = async (atMs: number) => {
    await directory.refresh()
    return directory.byName('shop.example')?.verdictKey?.(atMs).id
  }
  expect((await patch(true)).json()).toEqual({ error: 'sealed_verdicts: make a verdict key first' })
  expect((await rotate({ at_once: false }, tokens.analyst)).statusCode).toBe(403)
  const first = RotatedVerdictKey.strict().parse((await rotate({ at_once: false })).json())
  expect(first).toMatchObject({ seals_from: new Date(clock.nowMs).toISOString() })
  expect(await sealing(clock.nowMs)).toBeUndefined()
  expect((await patch(true)).json()).toMatchObject({ sealed_verdicts: true, has_verdict_key: true })
  expect(await sealing(clock.nowMs)).toBe(first.key_id)

  const second = RotatedVerdictKey.parse((await rotate({ at_once: false })).json())
  expect(Date.parse(second.seals_from)).toBe(clock.nowMs + 3_600_000)
  expect(await sealing(clock.nowMs)).toBe(first.key_id)
  expect(await sealing(clock.nowMs + 3_600_000)).toBe(second.key_id)
  const third = RotatedVerdictKey.parse((await rotate({ at_once: true })).json())
  expect(await sealing(clock.nowMs)).toBe(third.key_id)
  for (const { key } of [first, second, third]) expect((await ask({ url })).body).not.toContain(key)
  expect((await patch(false)).json()).toMatchObject({ sealed_verdicts: false })
  expect(await sealing(clock.nowMs)).toBeUndefined()
  expect((await actions()).slice(0, 2)).toEqual(['domain.change', 'key.rotate'])
})

test('a malformed domain name is an error and adds nothing', async () => {
  const { ask } = await accountSurface()
  for (const domain of ['', 'https://a.example', 'www.a.example', 'a.example/x', 'a..example', 'ä.example'])
    expect((await ask({ method: 'POST', url: '/account/domains', payload: { domain } })).statusCode).toBe(400)
  expect((await ask({ url: '/account/domains' })).json()).toHaveLength(1)
})

test('a domain is shown with its volume and recent identifications', async () => {
  const { ask, record, clock } = await accountSurface()
  const get = async () =>
    AccountDomain.strict().parse((await ask({ url: '/account/domains/shop.example' })).json())
  expect(await get()).toMatchObject({ identifications_last_day: 0, last_identification_at: null })
  await record({ atMs: clock.nowMs - 90_000_000 })
  await record({ atMs: clock.nowMs - 60_000 })
  await record({ atMs: clock.nowMs - 30_000 })
  expect(await get()).toMatchObject({
    domain: 'shop.example',
    enabled: true,
    remaining: 999_997,
    has_volume: false,
    identifications_last_day: 2,
    last_identification_at: '2026-11-20T23:59:30.000Z',
    endpoints: 0,
  })
})

test('a domain can be disabled and enabled, and its volume set; the other value stays', async () => {
  const { ask, directory, actions } = await accountSurface()
  const patch = async (payload: object) =>
    (await ask({ method: 'PATCH', url: '/account/domains/shop.example', payload })).json()
  expect(await patch({ enabled: false })).toMatchObject({
    enabled: false,
    remaining: 1_000_000,
    has_volume: false,
  })
  expect(directory.byName('shop.example')).toBeUndefined()
  expect(await patch({ remaining: -5 })).toMatchObject({ enabled: false, remaining: -5, has_volume: true })
  expect(await patch({ enabled: true })).toMatchObject({ enabled: true, remaining: -5 })
  expect(directory.byName('shop.example')).toBeDefined()
  expect(await patch({})).toEqual({ error: expect.any(String) })
  expect((await actions()).filter((action) => action === 'domain.change')).toHaveLength(3)
})

test('a key is replaced at once; the demo gets the new one, the audit log does not', async () => {
  const rotations: unknown[] = []
  const { ask, directory, publicKey } = await accountSurface({
    keyRotated: (...rotated) => Promise.resolve(void rotations.push(rotated)),
  })
  const rotate = (kind: string) =>
    ask({ method: 'POST', url: `/account/domains/shop.example/keys/${kind}/rotate` })
  const { kind, key } = (await rotate('public')).json()
  expect(kind).toBe('public')
  expect(directory.byPublicKey(publicKey)).toBeUndefined()
  expect(directory.byPublicKey(key)?.name).toBe('shop.example')
  expect(rotations).toEqual([['shop.example', 'public', key]])
  for (const kind of ['api', 'secret']) expect((await rotate(kind)).statusCode).toBe(200)
  expect((await rotate('webhook')).statusCode).toBe(400)
  const audit = await ask({ url: '/account/audit' })
  expect(audit.json().data[0]).toMatchObject({ action: 'key.rotate', detail: { kind: 'secret' } })
  expect(audit.body).not.toContain(key)
})

test('signed accounts can be required once there is a user key, which is shown once', async () => {
  const { ask, directory } = await accountSurface()
  const require = (payload: object) => ask({ method: 'PATCH', url: '/account/domains/shop.example', payload })
  const refused = await require({ signed_users_only: true })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { error: 'signed_users_only: make a user key first' },
  ])
  expect(directory.byName('shop.example')?.userKey).toBeUndefined()

  const rotated = await ask({ method: 'POST', url: '/account/domains/shop.example/keys/user/rotate' })
  const { kind, key } = rotated.json()
  expect([kind, key]).toEqual(['user', expect.stringMatching(/^usr_[0-9a-f]{64}$/)])
  expect((await require({ signed_users_only: true })).json()).toMatchObject({
    has_user_key: true,
    signed_users_only: true,
  })
  expect(directory.byName('shop.example')?.userKey).toEqual({ key, isRequired: true })
  for (const url of ['/account/domains', '/account/audit'])
    expect((await ask({ url })).body).not.toContain(key)
})

test('the cost of a false merge reaches visits at once; one out of bounds changes nothing, null takes it back', async () => {
  const { ask, directory } = await accountSurface()
  const url = '/account/domains/shop.example'
  const patch = (false_merge_cost: unknown) => ask({ method: 'PATCH', url, payload: { false_merge_cost } })
  const used = () => directory.byName('shop.example')?.falseMergeCost
  expect((await ask({ url })).json()).toMatchObject({ false_merge_cost: null })
  expect(used()).toBeUndefined()
  expect((await patch(7.5)).json()).toMatchObject({ false_merge_cost: 7.5 })
  expect(used()).toBe(7.5)
  for (const cost of [0.5, 101, '7']) expect((await patch(cost)).statusCode).toBe(400)
  expect(used()).toBe(7.5)
  expect((await ask({ url: '/account/audit' })).json().data[0]).toMatchObject({
    action: 'domain.change',
    detail: { false_merge_cost: 7.5 },
  })
  expect((await patch(null)).json()).toMatchObject({ false_merge_cost: null })
  expect(used()).toBeUndefined()
})
