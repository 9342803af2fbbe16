import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { overTor } from '../../../test/account/stored-visits.ts'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { storeLaterVersion } from '../../../test/store-later-version.ts'
import { temporaryDomain } from '../../../test/temporary-surface.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { DEFAULT_RULES, type Rules, withOwnWeights } from '../../score/rules.ts'
import { score } from '../../score/score.ts'
import { type DomainRow, domainStore } from '../../store/domains/domains.ts'
import { identificationRow } from '../../store/identifications/identification-row.ts'
import { snapshotOf } from '../../store/identifications/snapshots.ts'
import { openStickyVerdicts } from '../../store/identifications/sticky-verdicts.ts'
import type { Identified } from '../../visit/identification.ts'
import { rescore } from './rescore.ts'
import { storedVisit, storedVisits } from './stored-visits.ts'

async function site() {
  const { store, domainId } = await temporaryDomain()
  const [domain] = (await domainStore(store.reads).list()) as [DomainRow]
  const lookUpIp = () => identified().ip
  const place = { ...identified().domain, id: domainId }
  const own = await openStickyVerdicts(store.reads, () => identified().atMs)
  const scoredVisit = (requestId: string, given: Partial<Identified>, rules = DEFAULT_RULES) =>
    score(identified({ requestId, domain: place, ...given }), rules)

  return {
    place,
    /** Verdicts that carry over, as another process has them in memory. */
    sticky: await openStickyVerdicts(store.reads, () => identified().atMs),
    async visit(given: Partial<Identified> = {}, rules = DEFAULT_RULES) {
      const scored = scoredVisit(randomUUID(), given, rules)
      const { sticky } = own.changeOf(scored)
      const row = identificationRow(scored)
      await store.commit({ type: 'identification', row, snapshot: snapshotOf(scored), outbox: [], sticky })
      if (sticky) own.remember(scored, { sticky, withdrawsSticky: false })
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
      const writer = { commit: store.commit, now: () => identified().atMs, sticky: own, again }
      return rescore(visits(), { rules, writer })
    },
    decide: (requestId: string) =>
      store.commit({
        type: 'decision',
        row: {
          ...{
            domain_id: domainId,
            request_id: uuidBytesOrNil(requestId),
            purpose: 'signup',
            action: 'allow',
          },
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

/** An anti-detect browser: the page claims another system than its worker. */
const spoofed = () => ({
  readings: {
    ...ordinaryReadings(),
    platform: value('Linux x86_64'),
    tampering: value(['Navigator.languages:proxy']),
  },
})

test('a verdict that carries over ends with the one that it cites, in other processes as well', async () => {
  const { visit, rescored, sticky, place } = await site()
  const requestId = await visit(spoofed())
  const later = identified({ domain: place })
  await sticky.refresh()
  expect(sticky.find(later)).toMatchObject({ requestId })
  await rescored(weights({ vpn: 12 }))
  await sticky.refresh()
  expect(sticky.find(later)).toMatchObject({ requestId })
  await rescored(weights({ antidetect_browser: 0 }))
  await sticky.refresh()
  expect(sticky.find(later)).toBeUndefined()
})

test('a verdict that a re-scoring finds carries over like one that was found at once', async () => {
  const { visit, rescored, sticky, place } = await site()
  const requestId = await visit(spoofed(), weights({ antidetect_browser: 0 }))
  await sticky.refresh()
  expect(sticky.find(identified({ domain: place }))).toBeUndefined()
  await rescored(DEFAULT_RULES)
  await sticky.refresh()
  expect(sticky.find(identified({ domain: place }))).toMatchObject({ requestId })
})
