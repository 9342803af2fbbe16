import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Endpoint } from '../auth/directory.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import type { OutboxRow } from '../store/outbox/outbox.ts'
import type { WriteOperation, WriteOutcome } from '../store/store.ts'
import type { Attempt } from './attempt.ts'
import { createDispatcher, type DispatcherDeps, HOLD_MS, retryDelayMs } from './dispatcher.ts'

const NOW = 1_000_000

const entry = (id: number, endpoint_id = 1, attempts = 0): OutboxRow => ({
  id,
  domain_id: 1,
  endpoint_id,
  request_id: uuidBytesOrNil(randomUUID()),
  event_id: uuidBytesOrNil(randomUUID()),
  body: Buffer.from('{}'),
  attempts,
  due_at: NOW + HOLD_MS,
})

const secrets = { secret: 's', previous: undefined }
const endpoint = (id: number): Endpoint => ({
  id,
  domainId: 1,
  url: 'https://a.example/',
  secrets,
  deviceEvents: false,
})
const answered = (status: number): Attempt => ({
  sentAt: NOW,
  durationMs: 5,
  status,
  error: undefined,
  retryable: status >= 500,
})

/** A dispatcher with test doubles for everything around it. */
function dispatcher(given: Partial<DispatcherDeps> = {}) {
  const sent: number[] = []
  const recorded: Extract<WriteOperation, { type: 'delivery' }>[] = []
  const deps: DispatcherDeps = {
    endpoint,
    send(_endpoint, { id }) {
      sent.push(id)
      return Promise.resolve(answered(200))
    },
    claim: () => Promise.resolve([]),
    dueEndpoints: () => Promise.resolve([]),
    release: () => Promise.resolve(),
    commit(operation) {
      if (operation.type === 'delivery') recorded.push(operation)
      return Promise.resolve({ type: 'recorded' })
    },
    retries: 0,
    now: () => NOW,
    warn() {},
    ...given,
  }
  return { ...createDispatcher(deps), sent, recorded }
}

/** These endpoints have due entries, and then none has. */
function once(endpointIds: number[]) {
  const answers = [endpointIds]
  return () => Promise.resolve(answers.pop() ?? [])
}

test('each entry is sent once and then leaves the outbox', async () => {
  const { enqueue, drain, sent, recorded } = dispatcher()
  enqueue([entry(1), entry(2)])
  await drain()
  expect(sent).toEqual([1, 2])
  expect(recorded.map(({ outboxId, retryAt, log }) => [outboxId, retryAt, log.status])).toEqual([
    [1, undefined, 200],
    [2, undefined, 200],
  ])
})

test('a receiver that never answers does not hold up another one', async () => {
  const stuck = Promise.withResolvers<Attempt>()
  const sent: number[] = []
  const { enqueue, drain } = dispatcher({
    send(target, { id }) {
      sent.push(id)
      return target.id === 1 ? stuck.promise : Promise.resolve(answered(200))
    },
  })
  enqueue(Array.from({ length: 200 }, (_, index) => entry(index, 1)))
  enqueue([entry(999, 2)])
  expect(sent).toContain(999)
  stuck.resolve(answered(200))
  await drain()
})

test('without retries a failed send is final; with retries it is sent again, up to their number', async () => {
  const failing = (retries: number) => dispatcher({ retries, send: () => Promise.resolve(answered(503)) })

  const none = failing(0)
  none.enqueue([entry(1)])
  await none.drain()
  expect(none.recorded[0]?.retryAt).toBeUndefined()

  const two = failing(2)
  two.enqueue([entry(1, 1, 0), entry(2, 1, 1), entry(3, 1, 2)])
  await two.drain()
  expect(two.recorded.map(({ retryAt }) => retryAt)).toEqual([NOW + 1_000, NOW + 2_500, undefined])
})

test('a permanent failure is not retried', async () => {
  const { enqueue, drain, recorded } = dispatcher({ retries: 5, send: () => Promise.resolve(answered(404)) })
  enqueue([entry(1)])
  await drain()
  expect(recorded[0]?.retryAt).toBeUndefined()
})

test('an entry whose hold is about to end is left to the next process that claims it', async () => {
  const { enqueue, drain, sent } = dispatcher()
  enqueue([{ ...entry(1), due_at: NOW + 100 }])
  await drain()
  expect(sent).toEqual([])
})

test('a disabled endpoint gets nothing, and its events leave the outbox', async () => {
  const { enqueue, drain, sent, recorded } = dispatcher({ endpoint: () => undefined })
  enqueue([entry(1)])
  await drain()
  expect(sent).toEqual([])
  expect(recorded[0]).toMatchObject({ outboxId: 1, retryAt: undefined, log: { status: null } })
})

test('a sweep claims the entries that nobody holds', async () => {
  const { sweep, drain, sent } = dispatcher({
    dueEndpoints: once([1]),
    claim: () => Promise.resolve([entry(7)]),
  })
  await sweep()
  await drain()
  expect(sent).toEqual([7])
})

test('claiming an entry that is queued or being sent does not send it twice', async () => {
  const stuck = Promise.withResolvers<Attempt>()
  const all = Array.from({ length: 40 }, (_, index) => entry(index))
  const sent: number[] = []
  const clock = { nowMs: NOW }
  const later = (): OutboxRow[] => all.map((one) => ({ ...one, due_at: clock.nowMs + HOLD_MS }))
  const { enqueue, sweep, drain, recorded } = dispatcher({
    now: () => clock.nowMs,
    send(_endpoint, { id }) {
      sent.push(id)
      return stuck.promise
    },
    dueEndpoints: once([1]),
    claim: () => Promise.resolve(later()),
  })
  enqueue(all)
  clock.nowMs += 86_400_000
  await sweep()
  stuck.resolve(answered(200))
  await expect.poll(() => recorded.length).toBe(40)
  await drain()
  expect(sent).toEqual(all.map(({ id }) => id))
})

test('an event does not wait for the record of the one before, up to a limit of unrecorded sends', async () => {
  const stored = Promise.withResolvers<WriteOutcome>()
  const { enqueue, drain, sent, load } = dispatcher({ commit: () => stored.promise })
  enqueue(Array.from({ length: 200 }, (_, index) => entry(index)))
  await expect.poll(() => sent.length).toBe(128)
  expect(load()).toEqual({ queued: 72, sending: 128 })
  stored.resolve({ type: 'recorded' })
  await expect.poll(() => sent.length).toBe(200)
  await drain()
})

test('the load counts queued entries and running sends', async () => {
  const stuck = Promise.withResolvers<Attempt>()
  const { enqueue, drain, load } = dispatcher({ send: () => stuck.promise })
  enqueue(Array.from({ length: 34 }, (_, index) => entry(index)))
  expect(load()).toEqual({ queued: 2, sending: 32 })
  stuck.resolve(answered(200))
  await drain()
  expect(load()).toEqual({ queued: 0, sending: 0 })
})

test('a stop releases the queued entries, but not the ones being sent', async () => {
  const stuck = Promise.withResolvers<Attempt>()
  const released: number[] = []
  const { enqueue, drain, recorded } = dispatcher({
    send: () => stuck.promise,
    release(ids) {
      released.push(...ids)
      return Promise.resolve()
    },
  })
  enqueue(Array.from({ length: 34 }, (_, index) => entry(index)))
  const drained = drain()
  stuck.resolve(answered(200))
  await drained
  expect(recorded).toHaveLength(32)
  expect(released).toEqual([32, 33])
})

/** More entries than the queue holds, for an endpoint that never answers, and one of another endpoint now and then. */
function overfull() {
  const stuck = Promise.withResolvers<Attempt>()
  const released: number[] = []
  const sent: number[] = []
  const others: OutboxRow[] = []
  let claims = 0
  const made = dispatcher({
    send(target, { id }) {
      sent.push(id)
      return target.id === 1 ? stuck.promise : Promise.resolve(answered(200))
    },
    dueEndpoints: () => Promise.resolve([1, ...others.map(({ endpoint_id }) => endpoint_id)]),
    claim(_nowMs, _heldUntil, limit, endpointIds) {
      claims += 1
      if (claims > 100) throw new Error('the sweep does not end')
      if (!endpointIds.includes(1)) return Promise.resolve(others.splice(0))
      return Promise.resolve(Array.from({ length: limit }, (_, index) => entry(claims * limit + index)))
    },
    release(ids) {
      released.push(...ids)
      return Promise.resolve()
    },
  })
  return { ...made, stuck, released, sent, others, claims: () => claims }
}

test('a sweep ends when the queue is full, and releases what did not fit', async () => {
  const { sweep, drain, load, stuck, released } = overfull()
  await sweep()
  expect(load()).toMatchObject({ queued: 10_000 })
  expect(released).toHaveLength(21 * 500 - 10_032)
  stuck.resolve(answered(200))
  await drain()
})

test('the backlog of a full queue is not claimed, and holds up no entry of another endpoint', async () => {
  const { sweep, drain, stuck, released, sent, others } = overfull()
  others.push(entry(1, 2))
  await sweep()
  expect(sent).toContain(1)
  const { length } = released
  others.push(entry(2, 2))
  await sweep()
  expect(sent).toContain(2)
  expect(released).toHaveLength(length)
  stuck.resolve(answered(200))
  await drain()
})

test('a receiver that accepts an event during each page has its backlog claimed once in a sweep, not over and over', async () => {
  const answers: PromiseWithResolvers<Attempt>[] = []
  const released: number[] = []
  let claims = 0
  let isOpen = true
  const { sweep, drain, load } = dispatcher({
    send() {
      if (!isOpen) return Promise.resolve(answered(200))
      const answer = Promise.withResolvers<Attempt>()
      answers.push(answer)
      return answer.promise
    },
    dueEndpoints: () => Promise.resolve([1]),
    claim(_nowMs, _heldUntil, limit) {
      claims += 1
      if (claims > 100) throw new Error('the sweep does not end')
      return Promise.resolve(Array.from({ length: limit }, (_, index) => entry(claims * limit + index)))
    },
    async release(ids) {
      if (!isOpen) return
      released.push(...ids)
      const sending = answers.length
      answers[sending - 32]?.resolve(answered(200))
      await expect.poll(() => answers.length).toBe(sending + 1)
    },
  })
  await sweep()
  expect(load().queued).toBe(9_999)
  expect(released).toHaveLength(21 * 500 - 10_032)
  expect(claims).toBe(21)
  isOpen = false
  for (const answer of answers) answer.resolve(answered(200))
  await drain()
})

test('a stop ends the sweep after its current page', async () => {
  const { sweep, stopSweeping, drain, load, stuck, claims } = overfull()
  const swept = sweep()
  stopSweeping()
  await swept
  await sweep()
  expect(claims()).toBeLessThan(2)
  expect(load().queued).toBeLessThan(500)
  stuck.resolve(answered(200))
  await drain()
})

/** A dispatcher with one entry, claimed again whenever its hold ends, and a database that fails `failures` times. */
function recordless(failure: () => Promise<WriteOutcome>, failures: number) {
  const clock = { nowMs: NOW }
  const warned: string[] = []
  const tried: number[] = []
  const sent: number[] = []
  const held = entry(1)
  const made = dispatcher({
    now: () => clock.nowMs,
    send(_endpoint, { id }) {
      sent.push(id)
      return Promise.resolve({ ...answered(200), sentAt: clock.nowMs })
    },
    dueEndpoints: (nowMs) => Promise.resolve(tried.length <= failures && held.due_at <= nowMs ? [1] : []),
    claim(_nowMs, heldUntil) {
      held.due_at = heldUntil
      return Promise.resolve([{ ...held }])
    },
    commit() {
      tried.push(clock.nowMs - NOW)
      return tried.length > failures ? Promise.resolve({ type: 'recorded' }) : failure()
    },
    warn: (message) => warned.push(message),
  })
  return {
    ...made,
    sent,
    warned,
    tried,
    async begin() {
      made.enqueue([{ ...held }])
      await expect.poll(() => made.load().sending).toBe(0)
    },
    async sweepUntil(endMs: number) {
      for (; clock.nowMs < NOW + endMs; clock.nowMs += 500) await made.sweep()
    },
  }
}

const refused = (): Promise<WriteOutcome> =>
  Promise.resolve({ type: 'failed', message: 'refused', outage: false })
const locked = (): Promise<WriteOutcome> => Promise.reject(new Error('database is locked'))

test.each([
  ['refused', refused],
  ['rejected', locked],
])('a send whose record is %s is logged and recorded later, and not sent again', async (_name, failure) => {
  const { begin, sweepUntil, sent, tried, warned } = recordless(failure, 2)
  await begin()
  expect(warned).toEqual(['a delivery could not be recorded'])
  await sweepUntil(9_000)
  expect(tried).toHaveLength(3)
  expect(sent).toEqual([1])
})

test('a record that fails until the hold ends is retried when the entry is claimed again', async () => {
  const { begin, sweepUntil, sent, tried } = recordless(refused, 7)
  await begin()
  await sweepUntil(60_000)
  expect(tried).toHaveLength(8)
  expect(tried.at(-1)).toBeGreaterThan(HOLD_MS)
  expect(sent).toEqual([1])
})

test('a record that fails for ten minutes is dropped after a few tries, and its event is sent again', async () => {
  const { begin, sweepUntil, sent, tried } = recordless(refused, Number.POSITIVE_INFINITY)
  await begin()
  await sweepUntil(590_000)
  expect(sent).toEqual([1])
  expect(tried.length).toBeLessThan(20)
  await sweepUntil(630_000)
  expect(sent).toEqual([1, 1])
})

test('an entry that another process has tried since is sent again', async () => {
  const { begin, enqueue, drain, sent } = recordless(refused, 1)
  await begin()
  enqueue([entry(1, 1, 1)])
  await drain()
  expect(sent).toEqual([1, 1])
})

test('a stop retries the records that failed', async () => {
  const { begin, drain, tried } = recordless(refused, 1)
  await begin()
  await drain()
  expect(tried).toHaveLength(2)
})

test('eight sends fit into fifteen minutes, and each wait is longer than the one before', () => {
  const waits = Array.from({ length: 7 }, (_, index) => retryDelayMs(index))
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(15 * 60 * 1_000)
})
