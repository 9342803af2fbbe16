import { expect, test } from 'vitest'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { checkEntryLimit } from './entry-limit.ts'
import { listStore } from './list-entries.ts'

const BY = { author: 'somebody', nowMs: 1 }

test('the limit counts the entries of a domain, whatever was removed or is another’s', async () => {
  const { store, domainId } = await temporaryStore()
  const { writes } = store
  const save = (id: number, ...values: string[]) =>
    listStore(writes).save(
      id,
      values.map((value) => ({
        list: 'deny',
        kind: 'account',
        value,
        reason: '',
        expiresAtMs: undefined,
      })),
      BY,
    )
  await save(domainId, 'ann', 'bob')
  await save(domainId + 1, 'ann', 'bob', 'cat')
  await save(domainId, 'bob', 'cat')
  const check = (max: number) => checkEntryLimit(writes, 'list_entries', domainId, max)
  expect(await listStore(store.reads).count(domainId, {})).toBe(3)
  await check(3)
  await expect(check(2)).rejects.toThrow('a domain has at most 2 list entries; remove some')
})
