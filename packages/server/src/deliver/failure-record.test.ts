import { expect, test } from 'vitest'
import { temporaryDomain } from '../../test/temporary-surface.ts'
import { DAY_MS } from '../lib/durations.ts'
import { endpointStore } from '../store/domains/domains.ts'
import { auditStore } from '../store/users/users.ts'
import type { Attempt } from './attempt.ts'
import { createFailureRecord } from './failure-record.ts'
import { addEndpoint } from './webhook-endpoints.ts'

const NOW = Date.UTC(2026, 10, 1)

async function failingEndpoint(disableAfterMs = 5 * DAY_MS) {
  const { store, secrets, domainId, directory } = await temporaryDomain()
  const { row } = await addEndpoint(store, secrets, domainId, 'https://shop.example/hook', NOW)
  const clock = { nowMs: NOW }
  const disabled: number[] = []
  const failures = createFailureRecord({
    store,
    disableAfterMs,
    now: () => clock.nowMs,
    slewedNow: () => clock.nowMs,
    disabled: ({ endpoint }) => disabled.push(endpoint),
  })
  const attempt = (status: number | undefined, retryable = true): Attempt => ({
    sentAt: clock.nowMs,
    durationMs: 1,
    status,
    error: undefined,
    retryable,
  })
  /** Sends with these outcomes at the end of a day. */
  async function day(...attempts: readonly Attempt[]): Promise<void> {
    for (const one of attempts) failures.sent(row.id, { ...one, sentAt: clock.nowMs })
    await failures.record()
    clock.nowMs += DAY_MS
  }
  const read = () => endpointStore(store.reads).find(domainId, row.id)
  return { store, directory, domainId, endpointId: row.id, disabled, attempt, day, read, clock }
}

const times = (count: number, attempt: Attempt) => Array.from({ length: count }, () => attempt)

test('an endpoint that fails for five days is disabled once, and an operator can enable it again', async () => {
  const { store, directory, domainId, endpointId, disabled, attempt, day, read } = await failingEndpoint()
  for (let days = 0; days < 5; days++) await day(...times(10, attempt(days % 2 ? 500 : undefined)))
  expect(await read()).toMatchObject({ enabled: 1, failing_since: NOW, failed_sends: 50 })
  await day()
  await day()
  expect(disabled).toEqual([endpointId])
  expect(await read()).toMatchObject({ enabled: 0, disabled_at: NOW + 5 * DAY_MS })
  await directory.refresh()
  expect(directory.endpoint(endpointId)).toBeUndefined()
  expect(await auditStore(store.reads).list(undefined, 5)).toMatchObject([
    { actor: 'server', action: 'endpoint.disable', target: 'shop.example' },
  ])

  await endpointStore(store.writes).change(domainId, endpointId, { enabled: 1 })
  expect(await read()).toMatchObject({ enabled: 1, failing_since: null, failed_sends: 0, disabled_at: null })
})

test('one accepted send starts the days again', async () => {
  const { disabled, attempt, day, read } = await failingEndpoint()
  for (let days = 0; days < 4; days++) await day(...times(10, attempt(500)))
  await day(...times(10, attempt(500)), attempt(204))
  expect(await read()).toMatchObject({ failing_since: null, failed_sends: 0 })
  for (let days = 0; days < 4; days++) await day(...times(10, attempt(500)))
  expect(disabled).toEqual([])
})

test('a few failures with days between them, and sends that this machine refused, disable nothing', async () => {
  const { disabled, attempt, day, read } = await failingEndpoint()
  for (let days = 0; days < 9; days++) await day(attempt(500), ...times(10, attempt(undefined, false)))
  expect(disabled).toEqual([])
  expect(await read()).toMatchObject({ enabled: 1, failed_sends: 9 })
})

test('with 0 days none is disabled', async () => {
  const { disabled, attempt, day } = await failingEndpoint(0)
  for (let days = 0; days < 9; days++) await day(...times(10, attempt(500)))
  expect(disabled).toEqual([])
})

test('failures that began while the clock was ahead count from the first one after it was set right', async () => {
  const { attempt, day, read, clock } = await failingEndpoint()
  clock.nowMs = NOW + 365 * DAY_MS
  await day(attempt(500))
  clock.nowMs = NOW
  await day(attempt(500))
  await day(attempt(500))
  expect(await read()).toMatchObject({ failing_since: NOW, failed_sends: 3 })
})
