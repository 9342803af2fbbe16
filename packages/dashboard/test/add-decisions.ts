import { randomUUID } from 'node:crypto'
import { type Band, bandOf, type DecisionAction } from '@inkling/contract'
import { DECIDED } from '../../contract/src/openapi/example-visit.ts'
import { uuidToText } from '../../server/src/lib/uuid.ts'
import { domainStore } from '../../server/src/store/domains/domains.ts'
import type { Store } from '../../server/src/store/store.ts'

/** None is a review, for which the server would open a case. */
const ACTIONS: Record<Band, DecisionAction> = {
  trusted: 'allow',
  suspicious: 'challenge',
  dangerous: 'deny',
  rate_limited: 'challenge',
}
const DECIDED_AFTER_MS = 2_000

/** What the backend was told about the latest visits of a domain, so that pages about decisions have some to show. */
export async function addDecisions(
  { reads, writes }: Pick<Store, 'reads' | 'writes'>,
  domain: string,
  count: number,
): Promise<void> {
  const domain_id = (await domainStore(reads).find(domain))?.id ?? 0
  const visits = await reads
    .selectFrom('identifications')
    .select(['request_id', 'score', 'user_hid', 'created_at', 'ver'])
    .where('domain_id', '=', domain_id)
    .where('request_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(count)
    .execute()
  for (const { request_id, score, user_hid: account, created_at, ver } of visits) {
    if (!request_id) continue
    const band = bandOf(score)
    const action = ACTIONS[band]
    const decided_at = created_at + DECIDED_AFTER_MS
    const why = action === 'allow' ? { reasons: ['No rule decides'], rules: [] } : {}
    const said = { ...why, action, account, score, band, request_id: uuidToText(request_id) }
    const when = { decision_id: randomUUID(), decided_at: new Date(decided_at).toISOString() }
    await writes
      .insertInto('decisions')
      .values({
        ...{ domain_id, request_id, purpose: 'signup', action, account, ver, decided_at },
        ...{ answer: JSON.stringify({ ...DECIDED, ...said, ...when }), question: '{}' },
        ...{ asked: new Uint8Array(32), idempotency_key: null, client_address: null },
        ...{ stale: null, later: null },
      })
      .execute()
  }
}
