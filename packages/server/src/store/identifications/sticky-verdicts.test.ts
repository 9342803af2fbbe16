import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { expect, test } from 'vitest'
import { decision, identified } from '../../../test/identified.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { score } from '../../score/score.ts'
import type { Scored } from '../../visit/identification.ts'
import { identificationRow } from './identification-row.ts'
import { openStickyVerdicts } from './sticky-verdicts.ts'

const ENTRY = {
  name: 'antidetect_browser',
  description: 'Antidetect browser (x)',
  weight: 60,
  value: 60,
  evidence: {},
}

test('a verdict that another node commits late is found, though newer ones were read before', async () => {
  const { store, domainId } = await temporaryStore()
  const visit = (address: string) =>
    identified({ address, requestId: randomUUID(), domain: { ...identified().domain, id: domainId } })
  const [late, early] = [visit('192.0.2.1'), visit('192.0.2.2')]
  const sticky = await openStickyVerdicts(store.reads, early.atMs)
  const commit = (id: number, { requestId, identity, address, atMs }: typeof late) =>
    store.writes
      .insertInto('sticky_verdicts')
      .values({
        id,
        domain_id: domainId,
        device_id: uuidBytesOrNil(identity.deviceId),
        address,
        name: 'antidetect_browser',
        description: 'Antidetect browser (x)',
        request_id: uuidBytesOrNil(requestId),
        created_at: atMs,
      })
      .execute()

  await commit(7, early)
  await sticky.refresh()
  await commit(6, late)
  await sticky.refresh()
  expect(sticky.find(early)).toMatchObject({ requestId: early.requestId })
  expect(sticky.find(late)).toMatchObject({ requestId: late.requestId })
})

test('a verdict of a cookie applies to that cookie alone, also after a restart', async () => {
  const { store, domainId } = await temporaryStore()
  const domain = { ...identified().domain, id: domainId }
  const owner = identified({ domain, cookieId: randomUUID() })
  const imitator = identified({ domain, cookieId: randomUUID(), requestId: randomUUID() })
  const identity = { ...imitator.identity, decision: decision({ isByLook: true }) }
  const entries = [ENTRY]
  const scored: Scored = { ...imitator, identity, verdict: { ...score(imitator).verdict, entries } }
  const running = await openStickyVerdicts(store.reads, owner.atMs)
  const change = running.changeOf(scored)
  const row = identificationRow(scored)
  await store.commit({ type: 'identification', row, snapshot: undefined, outbox: [], sticky: change.sticky })
  running.remember(scored, change)
  expect(running.changeOf(scored).sticky).toBeUndefined()

  for (const sticky of [running, await openStickyVerdicts(store.reads, owner.atMs)]) {
    expect(sticky.find({ ...imitator, identity: owner.identity })).toMatchObject({
      requestId: imitator.requestId,
    })
    expect(sticky.find(owner)).toBeUndefined()
    expect(sticky.find({ ...owner, cookieId: NIL_UUID })).toBeUndefined()
  }
  running.remember(scored, { sticky: undefined, withdrawsSticky: true })
  expect(running.find(scored)).toBeUndefined()
})

test('a verdict applies in the whole /64 of an IPv6 address, and at no other IPv4 address', async () => {
  const { store } = await temporaryStore()
  const sticky = await openStickyVerdicts(store.reads, identified().atMs)
  const at = (address: string) => score(identified({ address }))
  for (const address of ['2001:db8:1:2::3', '192.0.2.1']) {
    const visit = at(address)
    const scored = { ...visit, verdict: { ...visit.verdict, entries: [ENTRY] } }
    sticky.remember(scored, sticky.changeOf(scored))
  }
  const isFoundAt = (address: string) => sticky.find(at(address)) !== undefined
  expect(['2001:db8:1:2::3', '2001:db8:1:2:a:b:c:d', '192.0.2.1'].map(isFoundAt)).toEqual([true, true, true])
  expect(['2001:db8:1:3::3', '192.0.2.2'].map(isFoundAt)).toEqual([false, false])
})
