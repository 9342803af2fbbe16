import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../postgres/postgres-server.ts'
import { getHistory, postSnapshot } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { type BreakableLine, breakableLine } from './breakable-line.ts'
import { type Installation, installation, type ServiceProcess } from './service-process.ts'
import { storedRequestIds } from './stored-request-ids.ts'

const BUSY = '503 {"error":"server is busy"}'
const UNREADY = '503 {"status":"the database does not answer"}'

interface Shop extends Installation, Pick<ServiceProcess, 'url' | 'ended'> {
  line: BreakableLine
}

/** A server whose connections to PostgreSQL can be interrupted; its `store` has connections of its own. */
async function shop(endpoints: readonly string[] = []): Promise<Shop> {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const folder = new URL(postgres.url).searchParams.get('host') ?? ''
  const line = await breakableLine(join(folder, '.s.PGSQL.5432'))
  const installed = await installation(endpoints, postgres.url)
  const service = await installed.serve({
    DATABASE_URL: `postgres://postgres@127.0.0.1:${line.port}/postgres`,
  })
  return { ...installed, ...service, line }
}

async function answerOf(answering: Promise<Response>): Promise<string> {
  const answer = await answering
  return `${answer.status} ${(await answer.text()).trimEnd()}`
}
const readiness = ({ url }: Shop): Promise<string> => answerOf(fetch(`${url}/ready`))
const profile = ({ url, keys }: Shop): Promise<string> =>
  answerOf(
    fetch(`${url}/v1/history/user_hid/a`, {
      headers: { 'x-svc-domain': keys.domain, authorization: `Bearer ${keys.secret_key}` },
    }),
  )

test('without its database the server is unready and acknowledges nothing; it recovers when the database is back', async () => {
  const receiver = await webhookReceiver()
  const server = await shop([receiver.url])
  const { line } = server
  const ids = [randomUUID(), randomUUID()]
  expect((await postSnapshot(server, ids[0] ?? '')).status).toBe(200)
  await receiver.count(1)

  await line.cut()
  expect(await readiness(server)).toBe(UNREADY)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await answerOf(postSnapshot(server, randomUUID()))).toBe(BUSY)
  expect(await profile(server)).toBe(BUSY)
  // The contract of History has no 503.
  expect(await answerOf(getHistory(server, 'latest/all'))).toBe('500 {"error":"internal server error"}')

  await line.mend()
  await expect.poll(() => readiness(server)).toBe('200 {"status":"ready"}')
  expect((await postSnapshot(server, ids[1] ?? '')).status).toBe(200)
  expect(await storedRequestIds(server.store)).toEqual(ids.toSorted())
  await receiver.count(2)
})

test('broken connections lose no acknowledged identification and no event', async () => {
  const receiver = await webhookReceiver()
  const server = await shop([receiver.url])
  const { line } = server
  const acknowledged: string[] = []
  let going = true
  async function visitor(): Promise<void> {
    while (going) {
      const id = randomUUID()
      const { status } = await postSnapshot(server, id)
      if (status === 200) acknowledged.push(id)
      else expect(status).toBe(503)
    }
  }
  const visitors = Array.from({ length: 8 }, visitor)
  for (let cuts = 1; cuts <= 3; cuts += 1) {
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
    await line.cut()
    await line.mend()
  }
  going = false
  await Promise.all(visitors)
  const stored = await storedRequestIds(server.store)
  // An identification whose connection broke during the commit may be stored without an acknowledgment.
  expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([])
  const events = () =>
    new Set(receiver.received.map(({ body }) => String(JSON.parse(body.toString()).data.request_id)))
  await expect.poll(() => stored.filter((id) => !events().has(id)), { timeout: 40_000 }).toEqual([])
})

test('when the database stops responding the server is unready, and acknowledges a waiting request only if it is stored', async () => {
  const server = await shop()
  const { line } = server
  line.silence()
  expect(await readiness(server)).toBe(UNREADY)
  const requestId = randomUUID()
  const waiting = answerOf(postSnapshot(server, requestId))
  expect(await readiness(server)).toBe(UNREADY)
  await line.mend()
  const answer = await waiting
  expect(['200 "127.0.0.1"', BUSY]).toContain(answer)
  expect(await storedRequestIds(server.store)).toEqual(answer === BUSY ? [] : [requestId])
  await expect.poll(() => readiness(server)).toBe('200 {"status":"ready"}')
})
