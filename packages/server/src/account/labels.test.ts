import { randomUUID } from 'node:crypto'
import { LABEL_REACHES, type LabelDraft, type LabelReach, type LabelSubject } from '@inkling/contract'
import { EntitySummary, IdentificationDetail, LabelPage } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { identified } from '../../test/identified.ts'
import { erase } from '../store/erasure/erase.ts'
import { previewErasure } from '../store/erasure/preview-erasure.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import { lookupOf } from '../store/identifications/lookup.ts'
import { readLabels } from '../store/labels/read-labels.ts'
import { listStore } from '../store/lists/list-entries.ts'

const URL = '/account/domains/shop.example'
const ADDRESS = identified().address

async function shop() {
  const surface = await accountSurface()
  const { ask, tokens, record, store, domainId } = surface
  return {
    ...surface,
    visit: (deviceId: string, userHid: string, cookieId = randomUUID()) =>
      record({ userHid, cookieId, identity: { ...identified().identity, deviceId } }),
    label: (kind: string, type: LabelSubject, value: string, more: Partial<LabelDraft> = {}) =>
      ask({
        method: 'POST',
        url: `${URL}/labels`,
        payload: { kind, subject: { type, value }, source: 'review', ...more },
      }),
    page: async (query = '') =>
      LabelPage.parse((await ask({ url: `${URL}/labels${query}`, token: tokens.analyst })).json()).data,
    /** The labels that reach an identification, as its page shows them. */
    async reaching(requestId: string) {
      const answer = await ask({ url: `${URL}/identifications/${requestId}`, token: tokens.analyst })
      return IdentificationDetail.parse(answer.json()).labels.map(
        ({ label, reach }) => `${label.kind} ${reach}`,
      )
    },
    async ofEntity(type: EntitySummary['type'], value: string) {
      const answer = await ask({ url: `${URL}/entity?${new URLSearchParams({ type, value })}` })
      return EntitySummary.parse(answer.json()).labels.map(({ label, reach }) => `${label.kind} ${reach}`)
    },
    /** The same as a back-test reads it. */
    async judged(requestId: string, reaches: readonly LabelReach[] = LABEL_REACHES) {
      const lookup = lookupOf('request_id', requestId)
      const { rows } = await identificationStore(store.reads).search(domainId, lookup, 1, 0)
      const [row] = rows
      if (!row) throw new Error('no such row')
      const labels = await readLabels(store.reads, domainId)
      return {
        labels: labels.labelsOf(row, reaches).map(({ label, reach }) => `${label.kind} ${reach}`),
        verdict: labels.verdictOf(row, reaches),
      }
    },
  }
}

test('a label reaches its subject, and by device and account what shares one with it, and addresses spread nothing', async () => {
  const { visit, label, reaching, judged, ofEntity } = await shop()
  const [laptop, phone, other] = [randomUUID(), randomUUID(), randomUUID()]
  const fraud = await visit(laptop, 'ann')
  const sameDevice = await visit(laptop, 'bob')
  const sameAccount = await visit(phone, 'ann')
  const stranger = await visit(other, 'cat')
  await label('chargeback', 'request', fraud)

  const expected: [string, string[]][] = [
    [fraud, ['chargeback direct']],
    [sameDevice, ['chargeback same_device']],
    [sameAccount, ['chargeback same_account']],
    [stranger, []],
  ]
  for (const [requestId, labels] of expected) {
    expect(await reaching(requestId)).toEqual(labels)
    expect(await judged(requestId)).toEqual({ labels, verdict: labels.length === 0 ? undefined : 'fraud' })
  }
  expect(await judged(sameDevice, ['direct', 'same_account'])).toEqual({
    labels: [],
    verdict: undefined,
  })
  expect(await ofEntity('device_id', laptop)).toEqual(['chargeback same_device'])
  expect(await ofEntity('user_hid', 'ann')).toEqual(['chargeback same_account'])
  expect(await ofEntity('device_id', other)).toEqual([])

  // A stronger reach decides, then the newer label; a kind of one's own says neither.
  await label('legitimate', 'account', 'bob', { at: '2026-01-01T00:00:00Z' })
  await label('vip', 'account', 'bob')
  expect((await judged(sameDevice)).verdict).toBe('legitimate')
  expect(await reaching(sameDevice)).toContain('vip direct')

  await label('fraud', 'address', ADDRESS)
  const everybody = [fraud, sameDevice, sameAccount, stranger]
  for (const requestId of everybody) expect(await reaching(requestId)).toContain('fraud direct')
  expect((await judged(stranger, ['same_device', 'same_account'])).labels).toEqual([])
})

test('the same kind, subject and source is one label, which is removed by its number', async () => {
  const { label, page, ask, tokens, actions } = await shop()
  const device = randomUUID()
  const first = await label('fraud', 'device', device)
  expect(first.statusCode).toBe(201)
  const again = await label('fraud', 'device', device.toUpperCase(), {
    at: '2026-10-12T09:30:00.000Z',
    note: 'again',
  })
  expect(again.json()).toEqual({
    ...first.json(),
    at: '2026-10-12T09:30:00.000Z',
    note: 'again',
  })
  await label('fraud', 'device', device, { source: 'bank' })
  expect(await page()).toHaveLength(2)
  expect(await page(`?kind=fraud&type=account`)).toEqual([])

  expect((await label('Fraud!', 'device', device)).statusCode).toBe(400)
  expect((await label('fraud', 'account', 'anonymous')).json().error).toBe('subject.value: names no account')
  const url = `${URL}/labels/${first.json().id}`
  expect((await ask({ method: 'DELETE', url, token: tokens.analyst })).statusCode).toBe(403)
  expect((await ask({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await ask({ method: 'DELETE', url })).statusCode).toBe(404)
  expect((await actions()).slice(0, 2)).toEqual(['labels.remove', 'labels.save'])

  const csv = (await ask({ url: `${URL}/labels/export` })).payload
  expect(csv).toContain(`fraud,device,${device},bank,`)
  const importCsv = (text: string) =>
    ask({ method: 'POST', url: `${URL}/labels/import`, payload: { csv: text } })
  expect((await importCsv(csv)).json()).toEqual({ rows: 1, replaced: 1 })
  expect(
    (await importCsv('kind,subject_type,subject_value,source\nfraud,account,null,x\nfraud,car,1,x')).json()
      .error,
  ).toMatch(/^line 2: subject_value: names no account\nline 3: subject_type: /)
  expect(await page()).toHaveLength(1)
})

test('an erasure removes what lists and labels say about an identifier and about the visits that go with it', async () => {
  const { visit, label, page, store, domainId, directory, clock } = await shop()
  const device = randomUUID()
  const requestId = await visit(device, 'ann')
  await label('fraud', 'account', 'ann')
  await label('fraud', 'request', requestId)
  await label('fraud', 'device', device)
  const entries = [
    ['account', 'ann'],
    ['account', 'bob'],
    ['address', ADDRESS],
    ['local_address', ADDRESS],
    ['cidr', `${ADDRESS}/32`],
    ['cidr', '91.0.0.0/16'],
  ] as const
  await listStore(store.writes).save(
    domainId,
    entries.map(([kind, value]) => ({ list: 'deny', kind, value, reason: '', expiresAtMs: undefined })),
    { author: 'somebody', nowMs: 1 },
  )
  await directory.refresh()
  const matched = () =>
    directory.byName('shop.example')?.lists.match({ account: 'ann', address: ADDRESS }, clock.nowMs)
  expect(matched()).toHaveLength(4 - 1)

  const account = { type: 'user_hid', value: 'ann' } as const
  const preview = await previewErasure(store.reads, domainId, [account])
  expect(preview.tables).toEqual(
    expect.arrayContaining([
      { table: 'labels', rows: 2 },
      { table: 'list_entries', rows: 1 },
    ]),
  )
  await erase(store, domainId, account)
  expect((await page()).map(({ subject }) => subject.type)).toEqual(['device'])
  await erase(store, domainId, { type: 'ip', value: ADDRESS })
  await directory.refresh()
  expect(matched()).toEqual([{ list: 'deny', kind: 'cidr', value: '91.0.0.0/16', reason: '' }])
  const left = await listStore(store.reads).page(domainId, {}, { limit: 10 })
  expect(left.map(({ value }) => value).sort()).toEqual(['91.0.0.0/16', 'bob'])
})
