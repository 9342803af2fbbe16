import { expect, vi } from 'vitest'
import type { SecretBox } from '../../src/lib/secret-box.ts'
import { score } from '../../src/score/score.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { identificationRow } from '../../src/store/identifications/identification-row.ts'
import { unpackText } from '../../src/store/packed/packed-text.ts'
import type { NewIdentification, Store } from '../../src/store/store.ts'
import type { DeliveryTable } from '../../src/store/visit-tables.ts'
import { identified } from '../identified.ts'
import type { TestServer } from '../running-server.ts'

type Target = Pick<TestServer, 'store' | 'box' | 'keys'>

export interface Operator {
  store: Store
  box: SecretBox
  domainId: number
}

/** Runs an operation of the command line on the database of the running server. */
export async function operate<Result>(
  { store, box, keys }: Target,
  run: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const domain = await domainStore(store.reads).find(keys.domain)
  return run({ store, box, domainId: domain?.id ?? 0 })
}

/** Writes rows that no browser can make, such as old ones. */
export const storeRows = (
  target: Target,
  rows: readonly (Partial<NewIdentification> & { requestId: string })[],
): Promise<void> =>
  operate(target, async ({ store, domainId }) => {
    const outcomes = await Promise.all(
      rows.map(({ requestId, ...given }) => {
        const scored = score(identified({ requestId, domain: { ...identified().domain, id: domainId } }))
        const row = { ...identificationRow(scored), ...given }
        return store.commit({ type: 'identification', row, snapshot: undefined, outbox: [] })
      }),
    )
    for (const outcome of outcomes) expect(outcome.type).toBe('stored')
  })

/** Resolves with the delivery log once it has this many entries. */
export const loggedDeliveries = (target: Target, count: number): Promise<DeliveryRow[]> =>
  operate(target, ({ store }) =>
    vi.waitFor(
      async () => {
        const rows = await store.reads.selectFrom('deliveries').selectAll().orderBy('id').execute()
        if (rows.length < count) throw new Error(`${rows.length} of ${count} deliveries are logged`)
        return rows.map((row) => ({ ...row, body: unpackText(row.body) }))
      },
      { timeout: 10_000, interval: 20 },
    ),
  )
type DeliveryRow = Omit<DeliveryTable, 'id'> & { id: number }

/** The server applies an operator’s change within a second, a busy machine later. */
export const soon = <Result>(check: () => Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 30_000, interval: 25 })
