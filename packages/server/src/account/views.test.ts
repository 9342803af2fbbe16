import { SavedView, SavedViews } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { auditStore, userStore } from '../store/users/users.ts'

const URL = '/account/domains/shop.example/views'
const VIEW = { page: 'identifications', name: 'Abroad', search: 'not_country=Germany&sort=riskiest' }

type Role = 'owner' | 'analyst'
type Method = 'POST' | 'PATCH' | 'DELETE'

const send = ({ ask, tokens }: AccountSurface, role: Role, method: Method, path: string, payload?: object) =>
  ask({ method, url: `${URL}${path}`, token: tokens[role], ...(payload && { payload }) })

async function save(surface: AccountSurface, role: Role, given: Partial<SavedView> = {}): Promise<SavedView> {
  const answer = await send(surface, role, 'POST', '', { ...VIEW, ...given })
  expect(answer.statusCode, answer.body).toBe(201)
  return SavedView.parse(answer.json())
}

const seen = async ({ ask, tokens }: AccountSurface, role: Role): Promise<SavedView[]> =>
  SavedViews.parse((await ask({ url: URL, token: tokens[role] })).json()).data

const status = async (...given: Parameters<typeof send>) => {
  const { statusCode, body } = await send(...given)
  return statusCode < 400 ? String(statusCode) : `${statusCode} ${body.trimEnd()}`
}

test('a view of one’s own is seen, changed and removed by its owner alone', async () => {
  const surface = await accountSurface()
  const { id, ...view } = await save(surface, 'analyst')
  expect(view).toEqual({
    ...VIEW,
    shared: false,
    owner: 'analyst@shop.example',
    changeable: true,
    changed_at: '2026-11-21T00:00:00.000Z',
  })
  expect(await seen(surface, 'owner')).toEqual([])
  for (const [method, payload] of [['PATCH', { shared: true }], ['DELETE']] as const)
    expect(await status(surface, 'owner', method, `/${id}`, payload)).toBe('404 {"error":"no such view"}')
  expect(await status(surface, 'analyst', 'PATCH', `/${id}`, { name: ' Far away ', search: '' })).toBe('200')
  expect(await seen(surface, 'analyst')).toMatchObject([{ id, name: 'Far away', search: '', shared: false }])
  expect(await status(surface, 'analyst', 'DELETE', `/${id}`)).toBe('204')
  expect(await status(surface, 'analyst', 'DELETE', `/${id}`)).toMatch(/^404/)
  expect(await seen(surface, 'analyst')).toEqual([])
})

test('a shared view is seen by all, and changed by its owner and by owners of the installation', async () => {
  const surface = await accountSurface()
  const ofOwner = await save(surface, 'owner', { name: 'B', shared: true })
  const ofAnalyst = await save(surface, 'analyst', { name: 'A', shared: true })
  const shown = async (role: Role) =>
    (await seen(surface, role)).map(({ name, changeable }) => [name, changeable])
  expect(await shown('analyst')).toEqual([
    ['A', true],
    ['B', false],
  ])
  expect(await shown('owner')).toEqual([
    ['A', true],
    ['B', true],
  ])
  for (const [method, payload] of [['PATCH', { name: 'C' }], ['DELETE']] as const)
    expect(await status(surface, 'analyst', method, `/${ofOwner.id}`, payload)).toBe(
      '403 {"error":"only its owner and owners of the domain may do this"}',
    )
  expect(await status(surface, 'owner', 'PATCH', `/${ofAnalyst.id}`, { name: 'C' })).toBe('200')
  expect(await status(surface, 'owner', 'PATCH', `/${ofAnalyst.id}`, { shared: false })).toBe('200')
  expect(await shown('owner')).toEqual([['B', true]])
})

test('changes are in the audit log by ID, without names and filters', async () => {
  const surface = await accountSurface()
  const { id } = await save(surface, 'analyst')
  await send(surface, 'analyst', 'PATCH', `/${id}`, { name: 'Secret name', shared: true })
  await send(surface, 'analyst', 'DELETE', `/${id}`)
  const entries = await auditStore(surface.store.reads).list(undefined, 3)
  expect(entries.map(({ action, target, detail }) => [action, target, JSON.parse(detail)])).toEqual([
    ['views.remove', 'shop.example', { view: id }],
    ['views.change', 'shop.example', { view: id, fields: 'name,shared' }],
    ['views.save', 'shop.example', { view: id, shared: false }],
  ])
})

test('a view has filters of kinds of visits alone: nothing that an erasure would have to find', async () => {
  const surface = await accountSurface()
  for (const search of [
    'user_hid=ada',
    'country=Germany&ip=192.0.2.1',
    'local_ip=10.0.0.1',
    'user%5Fhid=ada',
    'not_user_hid=ada',
    'device_id=0191e7a0-1111-4222-8333-444455556666',
    'request_id=0191e7a0-1111-4222-8333-444455556666',
  ])
    expect(await status(surface, 'analyst', 'POST', '', { ...VIEW, search })).toMatch(
      /^400 .*search: a view has no filter by an identifier/,
    )
  const { id } = await save(surface, 'analyst')
  expect(await status(surface, 'analyst', 'PATCH', `/${id}`, { search: 'cookie_id=x' })).toMatch(/^400/)
})

test('what is no view is refused with the name of the field', async () => {
  const surface = await accountSurface()
  for (const [wrong, field] of [
    [{ name: ' ' }, 'name'],
    [{ name: 'a'.repeat(81) }, 'name'],
    [{ search: '?country=Germany' }, 'search'],
    [{ search: 'a=b\n' }, 'search'],
    [{ search: 'a'.repeat(4_001) }, 'search'],
    [{ page: 'users' }, 'page'],
    [{ owner: 'ben@shop.example' }, 'request'],
  ] as const)
    expect(await status(surface, 'analyst', 'POST', '', { ...VIEW, ...wrong })).toMatch(
      new RegExp(`^400 .*"${field}: `),
    )
})

test('a user has a bounded number of views in a domain', async () => {
  const surface = await accountSurface()
  for (let index = 0; index < 50; index += 1) await save(surface, 'analyst', { name: `View ${index}` })
  expect(await status(surface, 'analyst', 'POST', '', VIEW)).toMatch(/^409 .*you have 50 views/)
  await save(surface, 'owner')
})

test('with a user go the views that nobody else saw; shared ones stay and are changed by owners', async () => {
  const surface = await accountSurface()
  const { store, analyst } = surface
  await save(surface, 'analyst', { name: 'Own' })
  const { id } = await save(surface, 'analyst', { name: 'Shared', shared: true })
  await save(surface, 'owner', { name: 'Of the owner' })
  await store.writes.transaction().execute((transaction) => userStore(transaction).remove(analyst.id))
  expect(
    await store.reads.selectFrom('saved_views').select(['name', 'owner']).orderBy('name').execute(),
  ).toEqual([
    { name: 'Of the owner', owner: 'owner@shop.example' },
    { name: 'Shared', owner: null },
  ])
  expect(await status(surface, 'owner', 'PATCH', `/${id}`, { name: 'Kept' })).toBe('200')
})

test('a view of another domain is no view', async () => {
  const surface = await accountSurface()
  const { id } = await save(surface, 'owner', { shared: true })
  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const url = '/account/domains/blog.example/views'
  expect((await surface.ask({ url })).json()).toEqual({ data: [] })
  for (const [method, payload] of [['PATCH', { name: 'Theirs' }], ['DELETE']] as const)
    expect((await surface.ask({ method, url: `${url}/${id}`, ...(payload && { payload }) })).statusCode).toBe(
      404,
    )
  expect(await seen(surface, 'owner')).toMatchObject([{ id, name: 'Abroad' }])
})
