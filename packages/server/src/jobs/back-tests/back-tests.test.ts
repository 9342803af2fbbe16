import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryStore } from '../../../test/temporary-store.ts'
import { erase } from '../../store/erasure/erase.ts'
import { removeExpired } from '../../store/remove-expired.ts'
import { type BackTestKind, createBackTests } from './back-tests.ts'

const Found = z.object({ of: z.string(), done: z.int() })
type Found = z.infer<typeof Found>

/** Nodes on one database, whose back-tests go on until they are told what they found. */
async function installation() {
  const { store, domainId } = await temporaryStore()
  const clock = { nowMs: Date.UTC(2026, 10, 21) }
  const domain = { id: domainId }

  function node() {
    const running = new Map<string, { finish(done: number): void; signal: AbortSignal }>()
    const kind: BackTestKind<typeof domain, string, Found> = {
      name: 'weights',
      body: Found,
      first: (of) => ({ of, done: 0 }),
      run: (_domain, of, { signal, onProgress }) =>
        new Promise((resolve, reject) => {
          onProgress(() => ({ of, done: 1 }))
          signal.addEventListener('abort', () => reject(signal.reason))
          running.set(of, { signal, finish: (done) => resolve({ of, done }) })
        }),
    }
    const tests = createBackTests({ store, now: () => clock.nowMs, warn: expect.unreachable }, kind)
    return {
      start: (of: string) => tests.start(domain, of),
      latest: () => tests.latest(domainId),
      cancel: () => tests.cancel(domainId),
      isStopped: (of: string) => running.get(of)?.signal.aborted,
      finish: (of: string) => running.get(of)?.finish(7),
      close: tests.close,
    }
  }
  return { store, domainId, clock, a: node(), b: node() }
}

test('every node shows the progress and the result of a back-test, and runs no second one beside it', async () => {
  const { a, b } = await installation()
  expect((await a.start('one'))?.state).toBe('running')
  expect(await b.start('two')).toBeUndefined()
  await expect.poll(b.latest).toMatchObject({ state: 'running', body: { of: 'one', done: 1 } })
  a.finish('one')
  await expect.poll(b.latest).toMatchObject({ state: 'done', error: null, body: { of: 'one', done: 7 } })
  expect(await b.latest()).toEqual(await a.latest())
  expect((await b.start('two'))?.state).toBe('running')
  await b.close()
  expect(await a.latest()).toMatchObject({ state: 'cancelled', body: { of: 'two' } })
})

test('a cancel at another node counts at once and stops the node that runs the test', async () => {
  const { a, b } = await installation()
  await a.start('one')
  await b.cancel()
  expect((await a.latest())?.state).toBe('cancelled')
  await expect.poll(() => a.isStopped('one')).toBe(true)
  expect((await b.latest())?.state).toBe('cancelled')
})

test('a test whose node stopped has failed and says so; the node that comes back late overwrites nothing', async () => {
  const { clock, a, b } = await installation()
  await a.start('one')
  clock.nowMs += 20_000
  expect(await b.latest()).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('server that ran'),
  })
  expect((await b.start('two'))?.state).toBe('running')
  await expect.poll(() => a.isStopped('one')).toBe(true)
  await a.close()
  expect(await a.latest()).toMatchObject({ state: 'running', body: { of: 'two' } })
  await b.close()
})

test('an erasure removes results and ends what has read visits already; old results go in time', async () => {
  const { store, domainId, clock, a, b } = await installation()
  await a.start('one')
  await erase(store, domainId, { type: 'user_hid', value: 'ada' })
  expect(await b.latest()).toBeUndefined()
  await expect.poll(() => a.isStopped('one')).toBe(true)
  await a.close()
  expect(await b.latest()).toBeUndefined()

  await b.start('two')
  await b.close()
  clock.nowMs += 8 * 86_400_000
  await removeExpired(store, clock.nowMs)
  expect(await b.latest()).toBeUndefined()
})
