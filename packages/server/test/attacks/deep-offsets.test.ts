import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as, history, identify, rowOf } from '../contract/callers.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { type GuardedServer, OURS, startGuardedServer } from '../security/guarded-server.ts'

/** One credential that reads as much as it can, all at once. */

const READS = 60
/** Each doubles the rows. */
const DOUBLINGS = 14

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer({ settings: { HISTORY_LIMIT_PER_SECOND: '10000' } })
  await identify(server, randomUUID(), '{}')
  await identify(as(server, server.other), randomUUID(), '{}')
  const { store } = server
  const [row] = await store.reads
    .selectFrom('identifications')
    .selectAll()
    .orderBy('domain_id')
    .limit(1)
    .execute()
  const copied = Object.keys(row ?? {}).filter((name) => name !== 'id' && name !== 'request_id')
  const columns = sql.join(copied.map((name) => sql.ref(name)))
  for (let count = 0; count < DOUBLINGS; count += 1)
    await sql`insert into identifications (${columns}) select ${columns} from identifications where domain_id = ${row?.domain_id}`.execute(
      store.writes,
    )
  // Opens the connection that only this question uses.
  expect((await rawRequest(server, { path: '/ready' })).status).toBe(200)
})
afterAll(() => server?.close())

/** Starts all reads at once. @returns their statuses, and whether other work ends before the last of them */
function readGreedily(read: () => Promise<{ status: number }>) {
  let done = 0
  const reads = Array.from({ length: READS }, async () => {
    const { status } = await read()
    done += 1
    return status
  })
  return {
    statuses: () => Promise.all(reads),
    async isBefore(work: Promise<unknown>): Promise<boolean> {
      await work
      return done < READS
    },
  }
}

test('deep History pages of one key delay neither visits nor readiness nor the History of others', async () => {
  const { statuses, isBefore } = readGreedily(() =>
    history(server, `latest/all?limit=100&offset=${2 ** DOUBLINGS / 2}`),
  )
  const requestId = randomUUID()
  const ready = rawRequest(server, { path: '/ready' })
  expect(
    await Promise.all([
      isBefore(ready),
      isBefore(identify(server, requestId, '{}')),
      isBefore(history(as(server, server.other), 'latest/all')),
    ]),
  ).toEqual([true, true, true])
  expect((await ready).status).toBe(200)
  expect((await ready).json()).toMatchObject({ status: expect.stringMatching(/^ready/) })

  expect(await statuses()).toEqual(Array(READS).fill(200))
  expect((await rowOf(server, requestId)).request_id).toBe(requestId)
})

test('searches and exports of one analyst delay neither another user nor the History API', async () => {
  const { owner, analyst } = server.tokens
  const ours = `/account/domains/${OURS}/identifications`
  // No index knows which visits lack a signal's entry, so each search reads all of them.
  const search = (token: string) =>
    server.account('GET', `${ours}?signal=antidetect_browser&limit=100`, { token })
  const exporting = server.account('GET', `${ours}/export?format=csv`, { token: analyst })
  const { statuses, isBefore } = readGreedily(() => search(analyst))
  const [searched, read] = [search(owner), history(server, 'latest/all?limit=100')]
  expect(await Promise.all([isBefore(searched), isBefore(read)])).toEqual([true, true])
  expect([(await searched).status, (await read).status]).toEqual([200, 200])

  expect(await statuses()).toEqual(Array(READS).fill(200))
  expect((await exporting).text.split('\n').length).toBeGreaterThan(2 ** DOUBLINGS)
})
