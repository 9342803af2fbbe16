import { ListEntry, type ListEntryDraft, ListEntryPage } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { registerDomain } from '../auth/register-domain.ts'
import { auditStore } from '../store/users/users.ts'

const URL = '/account/domains/shop.example/lists'
const DEVICE = 'abcdef00-0000-4000-8000-000000000001'

async function shop() {
  const surface = await accountSurface()
  const { ask, tokens, directory, clock, store } = surface
  return {
    ...surface,
    add: (entry: Partial<ListEntryDraft>, token = tokens.owner) =>
      ask({
        method: 'POST',
        url: URL,
        payload: { list: 'deny', kind: 'device', value: DEVICE, ...entry },
        token,
      }),
    page: async (query = '') =>
      ListEntryPage.parse((await ask({ url: URL + query, token: tokens.analyst })).json()),
    importCsv: (csv: string) => ask({ method: 'POST', url: `${URL}/import`, payload: { csv } }),
    exportCsv: async (query = '') =>
      (await ask({ url: `${URL}/export${query}`, token: tokens.analyst })).payload,
    /** What a visit from this device would match. */
    matches: (device = DEVICE, domain = 'shop.example') =>
      directory.byName(domain)?.lists.match({ device }, clock.nowMs),
    details: async () => {
      const entries = await auditStore(store.reads).list(undefined, 10)
      return entries.map(({ action, detail }) => `${action} ${detail}`)
    },
  }
}

test('an entry counts when its answer arrives, replaces the one before, and no longer once it is removed', async () => {
  const { add, page, ask, tokens, matches, clock, details } = await shop()
  const first = await add({ reason: 'stolen cards', value: DEVICE.toUpperCase() })
  expect(first.statusCode).toBe(201)
  expect(ListEntry.parse(first.json())).toMatchObject({ value: DEVICE, author: 'owner@shop.example' })
  expect(matches()).toEqual([{ list: 'deny', kind: 'device', value: DEVICE, reason: 'stolen cards' }])

  const expires_at = new Date(clock.nowMs + 1_000).toISOString()
  const { id } = (await add({ reason: 'another', expires_at })).json()
  expect(matches()).toMatchObject([{ reason: 'another' }])
  expect(await page()).toMatchObject({ data: [{ id, reason: 'another', expires_at }], total: 1, next: null })
  clock.nowMs += 1_000
  expect(matches()).toEqual([])

  await add({})
  const [entry] = (await page()).data
  expect((await ask({ method: 'DELETE', url: `${URL}/${entry?.id}` })).statusCode).toBe(204)
  expect((await ask({ method: 'DELETE', url: `${URL}/${entry?.id}` })).statusCode).toBe(404)
  expect(matches()).toEqual([])

  expect((await add({}, tokens.analyst)).statusCode).toBe(403)
  const refused = await add({ kind: 'account', value: 'anonymous' })
  expect([refused.statusCode, refused.json()]).toEqual([400, { error: 'value: names no account' }])
  const lent = await add({ list: 'allow', kind: 'local_address', value: '192.0.2.7' })
  expect([lent.statusCode, lent.json().error]).toEqual([400, expect.stringContaining('lets nobody pass')])
  // No value, which an erasure could not find there.
  expect((await details()).slice(0, 2)).toEqual([
    `lists.remove {"entry":${entry?.id}}`,
    'lists.save {"list":"deny","kind":"device"}',
  ])
})

test('several values are saved together, each once in normal form, or none of them', async () => {
  const { ask, page, tokens, matches, details } = await shop()
  const add = (values: string[], token = tokens.owner) =>
    ask({
      method: 'POST',
      url: `${URL}/entries`,
      payload: { list: 'deny', kind: 'device', values, reason: 'ring' },
      token,
    })
  const others = ['1', '2'].map((digit) => `abcdef00-0000-4000-8000-00000000001${digit}`)
  const refused = await add([DEVICE, 'no-device'])
  expect([refused.statusCode, refused.json().error]).toEqual([
    400,
    expect.stringContaining('no-device: value'),
  ])
  expect((await add([DEVICE], tokens.analyst)).statusCode).toBe(403)
  expect((await page()).total).toBe(0)

  expect((await add([DEVICE])).json()).toEqual({ saved: 1, replaced: 0, replaced_values: [] })
  expect((await add([DEVICE, DEVICE.toUpperCase(), ...others])).json()).toEqual({
    saved: 3,
    replaced: 1,
    replaced_values: [DEVICE],
  })
  expect((await page()).total).toBe(3)
  expect(matches()).toMatchObject([{ reason: 'ring' }])
  expect((await details())[0]).toBe('lists.save {"list":"deny","kind":"device","entries":3,"replaced":1}')
})

test('entries are found by list, kind and a part of their value, page by page, and only in their domain', async () => {
  const { add, page, matches, directory, store } = await shop()
  for (const value of ['ann_1', 'ANN%2', 'bob']) await add({ kind: 'account', value })
  await add({ list: 'allow', kind: 'account', value: 'ann_1' })
  const found = async (query: string) => (await page(query)).data.map(({ list, value }) => `${list} ${value}`)
  expect(await found('?value=ann')).toEqual(['allow ann_1', 'deny ANN%2', 'deny ann_1'])
  expect(await found('?list=deny&value=n_')).toEqual(['deny ann_1'])
  expect(await found('?kind=device')).toEqual([])
  const { next, total } = await page('?limit=3')
  expect(total).toBe(4)
  expect(await found(`?limit=3&cursor=${next}`)).toEqual(['deny ann_1'])

  await registerDomain(store, 'other.example', 1)
  await directory.refresh()
  await add({})
  expect(matches()).toHaveLength(1)
  expect(matches(DEVICE, 'other.example')).toEqual([])
})

test('the entries of one value are found whole, in any form of it, however many values contain it', async () => {
  const { add, page, ask, tokens } = await shop()
  for (const value of ['ann', 'Ann', ...Array.from({ length: 60 }, (_, index) => `ann-${index}`)])
    await add({ kind: 'account', value })
  await add({ list: 'allow', kind: 'account', value: 'ann' })
  await add({ value: DEVICE })
  const found = async (query: string) => (await page(query)).data.map(({ list, value }) => `${list} ${value}`)
  expect(await found('?kind=account&exact_value=ann')).toEqual(['allow ann', 'deny ann'])
  expect(await found('?kind=account&exact_value=ANN')).toEqual([])
  expect(await found(`?kind=device&exact_value=${DEVICE.toUpperCase()}`)).toEqual([`deny ${DEVICE}`])
  expect(await found('?kind=device&exact_value=no-device')).toEqual([])
  const refused = await ask({ url: `${URL}?exact_value=ann`, token: tokens.analyst })
  expect([refused.statusCode, refused.json()]).toEqual([400, { error: 'exact_value: needs a kind' }])
})

test('an export is imported as it was, and formulas are text in it', async () => {
  const { add, exportCsv, importCsv, page, ask, clock, details } = await shop()
  const expires_at = new Date(clock.nowMs + 86_400_000).toISOString()
  await add({ kind: 'account', value: '=cmd|x', reason: '+1, "hello"\nthere', expires_at })
  await add({ kind: 'cidr', value: '198.51.100.7/24', list: 'watch' })
  const csv = await exportCsv()
  expect(csv).toContain(`deny,account,'=cmd|x,"'+1, ""hello""\nthere",${expires_at},owner@shop.example`)
  expect(await exportCsv('?list=watch')).not.toContain('cmd')
  const before = (await page()).data.map(({ list, kind, value, reason, expires_at: end }) => [
    list,
    kind,
    value,
    reason,
    end,
  ])
  for (const { id } of (await page()).data) await ask({ method: 'DELETE', url: `${URL}/${id}` })

  expect((await importCsv(csv)).json()).toEqual({ rows: 2, replaced: 0 })
  const after = (await page()).data.map(({ list, kind, value, reason, expires_at: end }) => [
    list,
    kind,
    value,
    reason,
    end,
  ])
  expect(after).toEqual(before)
  expect((await importCsv(csv)).json()).toEqual({ rows: 2, replaced: 2 })
  expect((await page()).total).toBe(2)
  expect((await details()).slice(0, 2)).toEqual(['lists.import {"rows":2}', 'lists.import {"rows":2}'])
  expect(await details()).toContain('lists.export {}')
})

test('an import with wrong rows changes nothing and names every one of them', async () => {
  const { importCsv, page, actions } = await shop()
  const rows = [
    'deny,device,abc,',
    `deny,device,${DEVICE},ok`,
    'block,asn,1,x',
    'deny,asn',
    `deny,device,${DEVICE},twice`,
  ]
  const answer = await importCsv(['list,kind,value,reason', ...rows].join('\n'))
  expect(answer.statusCode).toBe(400)
  expect(answer.json().error.split('\n')).toEqual([
    'line 2: value: not a UUID',
    expect.stringMatching(/^line 4: list: /),
    'line 5: 2 cells where line 1 has 4',
    'line 6: the same as line 3',
  ])
  for (const csv of ['', 'list,kind\n', 'list,kind,value,colour\n', 'list,kind,value\n"open'])
    expect((await importCsv(csv)).statusCode).toBe(400)
  expect((await page()).total).toBe(0)
  expect(await actions()).not.toContain('lists.import')
})
