import { AccountUser } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface, PASSWORD } from '../../test/account/account-surface.ts'

const NEW = { email: 'Grace@Shop.example', password: PASSWORD, role: 'analyst' }

const add = ({ ask }: AccountSurface, payload: object = NEW) =>
  ask({ method: 'POST', url: '/account/users', payload })
const change = ({ ask }: AccountSurface, id: number, payload: object) =>
  ask({ method: 'PATCH', url: `/account/users/${id}`, payload })
const remove = ({ ask }: AccountSurface, id: number) => ask({ method: 'DELETE', url: `/account/users/${id}` })
const login = ({ ask }: AccountSurface, email: string, password: string) =>
  ask({ method: 'POST', url: '/account/login', token: undefined, payload: { email, password } })

test('a user can be added once and sign in, and no answer has the password', async () => {
  const surface = await accountSurface()
  const answer = await add(surface)
  expect(answer.statusCode).toBe(201)
  const user = AccountUser.strict().parse(answer.json())
  expect(user).toMatchObject({ email: 'grace@shop.example', role: 'analyst' })
  expect((await add(surface)).statusCode).toBe(409)
  expect((await login(surface, NEW.email, PASSWORD)).statusCode).toBe(200)

  const listed = await surface.ask({ url: '/account/users' })
  expect(listed.json().map(({ email }: AccountUser) => email)).toEqual([
    'analyst@shop.example',
    'grace@shop.example',
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

test('a new password ends the user’s other sessions', async () => {
  const surface = await accountSurface()
  const me = (token: string) => surface.ask({ url: '/account/me', token })
  await change(surface, surface.analyst.id, { password: 'another passphrase' })
  expect((await me(surface.tokens.analyst)).statusCode).toBe(401)
  expect((await login(surface, 'analyst@shop.example', PASSWORD)).statusCode).toBe(401)
  expect((await login(surface, 'analyst@shop.example', 'another passphrase')).statusCode).toBe(200)

  await change(surface, surface.owner.id, { password: 'another passphrase' })
  expect((await me(surface.tokens.owner)).statusCode).toBe(200)
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

test('a short password and a malformed address change nothing', async () => {
  const surface = await accountSurface()
  for (const wrong of [{ password: 'short' }, { email: 'grace' }, { email: 'a@b@c' }, { role: 'root' }])
    expect((await add(surface, { ...NEW, ...wrong })).statusCode).toBe(400)
  expect((await surface.ask({ url: '/account/users' })).json()).toHaveLength(2)
})

test('the audit log has each change and its author, without the password', async () => {
  const surface = await accountSurface()
  const { id } = (await add(surface)).json()
  await change(surface, id, { role: 'owner', password: 'another passphrase' })
  await remove(surface, id)
  const { data } = (await surface.ask({ url: '/account/audit', query: { limit: '3' } })).json()
  const by = { actor: 'owner@shop.example', target: 'grace@shop.example', at: '2026-11-21T00:00:00.000Z' }
  expect(data).toEqual([
    { ...by, id: expect.any(Number), action: 'user.remove', detail: {} },
    { ...by, id: expect.any(Number), action: 'user.change', detail: { role: 'owner', password: 'replaced' } },
    { ...by, id: expect.any(Number), action: 'user.add', detail: { role: 'analyst' } },
  ])
})
