import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { as, history, identify, rowOf } from '../contract/callers.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { runningServer } from '../running-server.ts'

/** One key that reads as deep as it can, all at once. */

const READS = 60
/** Each doubles the rows. */
const DOUBLINGS = 14

test('deep History pages of one key delay neither visits nor readiness nor the History of others', async () => {
  const server = await runningServer({
    settings: { HISTORY_LIMIT_PER_SECOND: '10000' },
    otherDomains: ['other.example'],
  })
  const [others] = server.others
  if (!others) throw new Error('no other domain')
  await identify(server, randomUUID(), '{}')
  await identify(as(server, others), randomUUID(), '{}')
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
  let done = 0
  const reads = Array.from({ length: READS }, async () => {
    const { status } = await history(server, `latest/all?limit=100&offset=${2 ** DOUBLINGS / 2}`)
    done += 1
    return status
  })
  const requestId = randomUUID()
  const before = async (work: Promise<unknown>): Promise<boolean> => {
    await work
    return done < READS
  }
  const ready = rawRequest(server, { path: '/ready' })
  expect(
    await Promise.all([
      before(ready),
      before(identify(server, requestId, '{}')),
      before(history(as(server, others), 'latest/all')),
    ]),
  ).toEqual([true, true, true])
  expect((await ready).status).toBe(200)
  expect((await ready).json()).toMatchObject({ status: expect.stringMatching(/^ready/) })

  expect(await Promise.all(reads)).toEqual(Array(READS).fill(200))
  expect((await rowOf(server, requestId)).request_id).toBe(requestId)
})
