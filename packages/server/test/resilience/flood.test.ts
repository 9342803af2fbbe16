import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { getHistory, postSnapshot } from '../running-server.ts'
import { type RawConnection, rawConnection } from './raw-connection.ts'
import { installation } from './service-process.ts'
import { storedRequestIds } from './stored-request-ids.ts'

/** As `INGEST_UNDER_WAY_MAX` in `main.ts` says. */
const UNDER_WAY = 2_048
/** Below the backlog of a listener, so that no connection has to be tried again. */
const ACCEPTED_AT_ONCE = 256

test('in a flood ingest acknowledges exactly what it stores and rejects the rest; other requests are served', async () => {
  const { directory, keys, store, serve } = await installation()
  const { url, port } = await serve({ CONNECTIONS_PER_ADDRESS_MAX: '10000' })
  const server = { url, keys }
  const other = new DatabaseSync(join(directory, 'inkling.db'))
  onTestFinished(() => other.close())
  const ids = Array.from({ length: UNDER_WAY }, () => randomUUID())
  const request = (id: string): string =>
    `POST /snapshot/${id}?publicKey=${keys.public_key} HTTP/1.1\r\nHost: a\r\nOrigin: https://shop.example\r\nContent-Length: 2\r\n\r\n{}`
  const connections: RawConnection[] = []
  for (let opened = 0; opened < UNDER_WAY; opened += ACCEPTED_AT_ONCE) {
    const open = (_: unknown, index: number) => rawConnection(port, `127.0.0.${2 + (index % 64)}`)
    connections.push(...(await Promise.all(Array.from({ length: ACCEPTED_AT_ONCE }, open))))
    // Once this is answered, the server has accepted those before.
    expect((await fetch(`${url}/health`)).status).toBe(200)
  }
  // Commits are blocked, so every admitted request stays pending. The server gives up on its lock after ten seconds.
  other.exec('begin immediate')
  const flood = ids.map((id, index) => connections[index]?.ask(request(id)))

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
    expect((await fetch(`${url}/health`)).status).toBe(200)
  }
  const [refusedId = '', text] = refusal.split(/ (.*)/s)
  expect(text).toBe('{"error":"server is busy"}\n')
  const beacon = await fetch(`${url}/noscript?publicKey=${keys.public_key}`, {
    headers: { referer: 'https://shop.example/' },
  })
  expect([beacon.status, await beacon.text()]).toEqual([503, '{"error":"server is busy"}\n'])
  expect((await getHistory(server, 'latest/all')).status).toBe(200)
  for (const path of ['/ready', '/agent.js'])
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])

  other.exec('rollback')
  const statuses = await Promise.all(flood)
  const answers = [...ids.map((id, index) => ({ id, status: statuses[index] })), ...(await Promise.all(late))]
  const acknowledged = answers.filter(({ status }) => status === 200).map(({ id }) => id)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
  expect(await storedRequestIds(store)).toEqual(acknowledged.toSorted())
  expect((await postSnapshot(server, refusedId)).status).toBe(200)
})
