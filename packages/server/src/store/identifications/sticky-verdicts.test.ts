import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { openStickyVerdicts } from './sticky-verdicts.ts'

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
