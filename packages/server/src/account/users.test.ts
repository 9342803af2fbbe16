import { AccountUser } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'

const change = ({ ask }: AccountSurface, id: number, payload: object) =>
  ask({ method: 'PATCH', url: `/account/users/${id}`, payload })
const remove = ({ ask }: AccountSurface, id: number) => ask({ method: 'DELETE', url: `/account/users/${id}` })

test('the list of users has no password', async () => {
  const surface = await accountSurface()
  const listed = await surface.ask({ url: '/account/users' })
  expect(listed.json().map((user: unknown) => AccountUser.strict().parse(user).email)).toEqual([
    'analyst@shop.example',
    'owner@shop.example',
  ])
  expect(listed.body).not.toMatch(/argon2|password/)
})

test('a new role applies from the next request, also in open sessions', async () => {
  const surface = await accountSurface()
  const users = () => surface.ask({ url: '/account/users', token: surface.tokens.analyst })
  expect((await users()).statusCode).toBe(403)
  await change(surface, surface.analyst.id, { role: 'owner' })
  expect((await users()).statusCode).toBe(200)
  await change(surface, surface.analyst.id, { role: 'analyst' })
  expect((await users()).statusCode).toBe(403)
})

test('a removed user is signed out at once', async () => {
  const surface = await accountSurface()
  expect((await remove(surface, surface.analyst.id)).statusCode).toBe(204)
  const me = await surface.ask({ url: '/account/me', token: surface.tokens.analyst })
  expect(me.statusCode).toBe(401)
  expect((await remove(surface, surface.analyst.id)).statusCode).toBe(404)
})

test('the last owner can be neither removed nor demoted', async () => {
  const surface = await accountSurface()
  expect((await remove(surface, surface.owner.id)).statusCode).toBe(409)
  expect((await change(surface, surface.owner.id, { role: 'analyst' })).statusCode).toBe(409)
  expect((await surface.ask({ url: '/account/me' })).json().role).toBe('owner')

  await change(surface, surface.analyst.id, { role: 'owner' })
  expect((await change(surface, surface.owner.id, { role: 'analyst' })).statusCode).toBe(200)
})

test('the audit log has each change and its author', async () => {
  const surface = await accountSurface()
  const { id } = surface.analyst
  await change(surface, id, { role: 'owner' })
  await remove(surface, id)
  const { data } = (await surface.ask({ url: '/account/audit', query: { limit: '2' } })).json()
  const by = { actor: 'owner@shop.example', target: 'analyst@shop.example', at: '2026-11-21T00:00:00.000Z' }
  expect(data).toEqual([
    { ...by, id: expect.any(Number), action: 'user.remove', detail: {} },
    { ...by, id: expect.any(Number), action: 'user.change', detail: { role: 'owner' } },
  ])
})
