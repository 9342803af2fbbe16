import { expect, test } from 'vitest'
import { planOf, recorder, unbounded } from '../../../test/account/query-plans.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { findingRows } from './findings.ts'

test('the visits of a finding are read without the others of their domain', async () => {
  const { store, domainId } = await temporaryStore()
  const record = recorder()
  await findingRows(store.reads.withPlugin(record), { domain_id: domainId, id: 1 })
  expect(record.seen).toHaveLength(1)
  for (const node of record.seen) {
    const { text, plan } = await planOf(store.writes, node)
    expect(unbounded(plan), `${text}\n${plan.join('\n')}`).toEqual([])
  }
})
