import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { getHistory, postSnapshot, runningServer } from '../running-server.ts'
import { rawStatus } from './raw-status.ts'
import { storedRequestIds } from './stored-request-ids.ts'

/** As `INGEST_UNDER_WAY_MAX` in `main.ts` says. */
const UNDER_WAY = 2_048

test('in a flood ingest acknowledges exactly what it stores and rejects the rest; other requests are served', async () => {
  const settings = { INGEST_LIMIT_PER_MINUTE: '100000', CONNECTIONS_PER_ADDRESS_MAX: '10000' }
  const server = await runningServer({ settings })
  const other = new DatabaseSync(join(server.directory, 'inkling.db'))
  onTestFinished(() => other.close())
  // Commits are blocked, so every admitted request stays pending.
  other.exec('begin immediate')
  const ids = Array.from({ length: UNDER_WAY }, () => randomUUID())
  const request = (id: string): string =>
    `POST /snapshot/${id}?publicKey=${server.keys.public_key} HTTP/1.1\r\nHost: a\r\nOrigin: https://shop.example\r\nContent-Length: 2\r\n\r\n{}`
  const flood = ids.map((id, index) => rawStatus(server.port, `127.0.0.${2 + (index % 64)}`, request(id)))

  // The first rejected request shows that the limit is reached.
  const refused = Promise.withResolvers<string>()
  const late: Promise<{ id: string; status: number }>[] = []
  const probe = async (id: string): Promise<{ id: string; status: number }> => {
    const answer = await postSnapshot(server, id)
    if (answer.status === 503) refused.resolve(`${id} ${await answer.text()}`)
    return { id, status: answer.status }
  }
  let refusal: string | undefined
  void refused.promise.then((text) => (refusal = text))
  while (refusal === undefined) {
    late.push(probe(randomUUID()))
    // This route has no limit; each response gives the server a turn of the event loop between two probes.
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  }
  const [refusedId = '', text] = refusal.split(/ (.*)/s)
  expect(text).toBe('{"error":"server is busy"}\n')
  const beacon = await fetch(`${server.url}/noscript?publicKey=${server.keys.public_key}`, {
    headers: { referer: 'https://shop.example/' },
  })
  expect([beacon.status, await beacon.text()]).toEqual([503, '{"error":"server is busy"}\n'])
  expect((await getHistory(server, 'latest/all')).status).toBe(200)
  for (const path of ['/ready', '/agent.js'])
    expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200])

  other.exec('rollback')
  const statuses = await Promise.all(flood)
  const answers = [...ids.map((id, index) => ({ id, status: statuses[index] })), ...(await Promise.all(late))]
  const acknowledged = answers.filter(({ status }) => status === 200).map(({ id }) => id)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
  expect(await storedRequestIds(server.store)).toEqual(acknowledged.toSorted())
  expect((await postSnapshot(server, refusedId)).status).toBe(200)
})
