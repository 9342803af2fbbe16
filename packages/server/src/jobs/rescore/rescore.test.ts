import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { overTor } from '../../../test/account/stored-visits.ts'
import { identified } from '../../../test/identified.ts'
import { storeLaterVersion } from '../../../test/store-later-version.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { type Rules, withOwnWeights } from '../../score/rules.ts'
import { score } from '../../score/score.ts'
import { domainStore } from '../../store/domains/domains.ts'
import { identificationRow } from '../../store/identifications/identification-row.ts'
import { snapshotOf } from '../../store/identifications/snapshots.ts'
import type { Identified } from '../../visit/identification.ts'
import { rescore } from './rescore.ts'
import { storedVisit, storedVisits } from './stored-visits.ts'

async function site() {
  const { store, domainId } = await temporaryDomain()
  const domain = await domainStore(store.reads).findById(domainId)
  if (!domain) throw new Error('no domain')
  const lookUpIp = () => identified().ip
  const scoredVisit = (requestId: string, given: Partial<Identified>) =>
    score(identified({ requestId, domain: { ...identified().domain, id: domainId }, ...given }))

  return {
    store,
    async visit(given: Partial<Identified> = {}) {
      const scored = scoredVisit(randomUUID(), given)
      const row = identificationRow(scored)
      await store.commit({ type: 'identification', row, snapshot: snapshotOf(scored), outbox: [] })
      return scored.requestId
    },
    async refine(requestId: string, given: Partial<Identified>) {
      const scored = scoredVisit(requestId, given)
      await storeLaterVersion(store, identificationRow(scored, scored.atMs + 5_000), {
        snapshot: snapshotOf(scored),
      })
    },
    /** @param meanwhile what happens between the reading of a visit and its writing */
    rescored(rules: Rules, meanwhile: () => Promise<void> = async () => {}) {
      async function* visits() {
        const span = { sinceMs: 0, untilMs: Date.now() }
        for await (const visit of storedVisits(store, domain, span, lookUpIp)) {
          await meanwhile()
          yield visit
        }
      }
      const again = (row: { id: number; created_at: number }) => storedVisit(store, domain, row, lookUpIp)
      const writer = { commit: store.commit, now: () => identified().atMs, again }
      return rescore(visits(), { rules, writer })
    },
    decide: (requestId: string) =>
      store.commit({
        type: 'decision',
        row: {
          ...{ domain_id: domainId, request_id: uuidBytesOrNil(requestId), purpose: 'signup', action: 'allow' },
          ...{ idempotency_key: null, account: null, client_address: null, asked: new Uint8Array(32) },
          ...{ question: '{}', answer: '{}', ver: identified().atMs, decided_at: 1 },
        },
      }),
    decision: () => store.reads.selectFrom('decisions').selectAll().executeTakeFirstOrThrow(),
    rows: () => store.reads.selectFrom('identifications').selectAll().execute(),
    versions: () => store.reads.selectFrom('versions').select(['ver', 'score']).orderBy('ver').execute(),
  }
}

const weights = (own: Record<string, number>) => withOwnWeights({ version: 'file', weights: own })

test('evidence that comes while a visit is scored again is scored as well, and its version stays', async () => {
  const { visit, refine, rescored, rows, versions } = await site()
  const requestId = await visit({ ip: { ...identified().ip, vpn: true } })
  const before = (await rows())[0]
  let isRefined = false
  const report = await rescored(weights({ tor: 77, vpn: 12 }), async () => {
    if (!isRefined) await refine(requestId, overTor())
    isRefined = true
  })
  const [row] = await rows()
  expect(row?.score).toBe(77)
  expect(row?.ver).toBeGreaterThan(identified().atMs + 5_000)
  expect((await versions()).map(({ ver }) => ver)).toEqual([before?.ver, identified().atMs + 5_000])
  expect(report).toMatchObject({ identifications: 1, changed: 1 })
})

test('a decision is not compared with what other weights make of its visit', async () => {
  const { visit, rescored, rows, decide, decision } = await site()
  await decide(await visit(overTor()))
  await rescored(weights({ tor: 77 }))
  expect((await rows())[0]?.score).toBe(77)
  expect((await decision()).stale).toBeNull()
})
