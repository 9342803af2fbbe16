import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ordinaryBody } from '../../server/test/contract/bodies.ts'
import { identify } from '../../server/test/contract/callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { startTestServer } from '../../server/test/running-server.ts'
import { testClient } from './test-client.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

test('a sign-up asks what to do about a visit that is on its way, once, and labels what it finds out', async () => {
  const { client } = testClient(server)
  const requestId = randomUUID()
  const ask = () =>
    client.decide(requestId.toUpperCase(), {
      purpose: 'signup',
      account: 'ann',
      clientAddress: ADDRESSES.home,
      waitMs: 5_000,
      idempotencyKey: 'signup-1',
    })
  const asked = ask()
  await identify(server, requestId, ordinaryBody(), from(ADDRESSES.home))
  const early = await asked
  // On a busy machine a visit may take longer than a question may wait.
  const decided = early.status === 'unverified' ? await ask() : early
  expect(decided).toMatchObject({
    status: 'decided',
    request_id: requestId,
    action: 'allow',
    account: 'ann',
    address_matches: true,
  })
  expect(
    await client.decide(requestId, {
      purpose: 'signup',
      account: 'ann',
      clientAddress: ADDRESSES.home,
      idempotencyKey: 'signup-1',
    }),
  ).toEqual(decided)
  expect(await client.decide(requestId, { purpose: 'signup' })).toEqual({
    status: 'refused',
    reason: 'visit_used',
    requestId,
  })
  const unknown = randomUUID()
  expect(await client.decide(unknown, { purpose: 'signup', waitMs: 0 })).toEqual({
    status: 'unverified',
    requestId: unknown,
  })
  expect(await client.decide('not an ID', { purpose: 'signup' })).toMatchObject({ status: 'unverified' })

  const label = { kind: 'fraud', subject: { type: 'account', value: 'ann' }, source: 'review' } as const
  expect(await client.label(label)).toMatchObject({ ...label, author: 'api key' })
})
