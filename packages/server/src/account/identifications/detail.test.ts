import { randomUUID } from 'node:crypto'
import { IdentificationDetail } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../../test/account/account-surface.ts'
import { overTor, storeDelivery, storeVisit } from '../../../test/account/stored-visits.ts'
import { identified } from '../../../test/identified.ts'
import { score } from '../../score/score.ts'
import { identificationRow } from '../../store/identifications/identification-row.ts'

const PATH = '/account/domains/shop.example/identifications'

const detail = async ({ ask, tokens }: AccountSurface, requestId: string) =>
  IdentificationDetail.parse((await ask({ url: `${PATH}/${requestId}`, token: tokens.analyst })).json())

test('one identification is shown with its reasons, its snapshot and the event that waits', async () => {
  const surface = await accountSurface()
  const { requestId, event } = await storeVisit(surface, overTor())
  const { row, band, explanation, snapshot, pending, deliveries } = await detail(surface, requestId)
  expect([row.request_id, row.is_tor, band]).toEqual([requestId, true, 'dangerous'])
  expect(explanation.entries.map(({ name }) => name)).toContain('tor')
  expect(explanation.network).toHaveProperty('syn')
  expect(snapshot).toMatchObject({ address: '91.0.0.1', body: {} })
  expect(pending).toEqual([{ endpoint_id: 1, attempts: 0, due_at: '2026-11-21T00:00:10.000Z', body: event }])
  expect(deliveries).toEqual([])
})

test('a delivery shows the exact bytes that were sent and what became of them', async () => {
  const surface = await accountSurface()
  const visit = await storeVisit(surface)
  await storeDelivery(surface, visit, { status: null, error: 'no answer in time', attempt: 1 })
  await storeDelivery(surface, visit, { status: 204, attempt: 2 })
  const { deliveries, pending } = await detail(surface, visit.requestId)
  expect(deliveries.map(({ status, error, attempt }) => [status, error, attempt])).toEqual([
    [null, 'no answer in time', 1],
    [204, null, 2],
  ])
  for (const { body } of deliveries) expect(body).toBe(visit.event)
  expect(pending).toEqual([])
})

test('versions stand side by side, the current one last', async () => {
  const surface = await accountSurface()
  const { requestId } = await storeVisit(surface)
  const domain = { ...identified().domain, id: surface.domainId }
  const later = score(identified({ requestId, domain, atMs: surface.clock.nowMs, ...overTor() }))
  await surface.store.commit({
    type: 'refinement',
    row: identificationRow(later, surface.clock.nowMs + 500),
    snapshot: undefined,
    outbox: [],
  })
  const { versions, row } = await detail(surface, requestId)
  expect(versions.map(({ ver, flags }) => [ver - surface.clock.nowMs, flags.includes('tor')])).toEqual([
    [0, false],
    [500, true],
  ])
  expect(versions.at(-1)?.score).toBe(row.score)
  expect(versions[0]?.unknown).toContain('tor')
})

test('without a kept snapshot the rest is still shown', async () => {
  const surface = await accountSurface()
  const requestId = await surface.record()
  expect(await detail(surface, requestId)).toMatchObject({ snapshot: null, versions: [{}], deliveries: [] })
})

test('an unknown one, another domain’s and no UUID at all', async () => {
  const surface = await accountSurface()
  const { requestId } = await storeVisit(surface)
  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const status = async (url: string) => (await surface.ask({ url })).statusCode
  expect(await status(`${PATH}/${randomUUID()}`)).toBe(404)
  expect(await status(`/account/domains/blog.example/identifications/${requestId}`)).toBe(404)
  expect(await status(`${PATH}/abc`)).toBe(400)
})
