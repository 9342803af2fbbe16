import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhooks } from '@inkling/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { attemptSend, type Outgoing } from './attempt.ts'
import {
  createSafeFetch,
  ForbiddenTarget,
  type Resolve,
  type SafeFetchOptions,
  sharedLookup,
} from './safe-fetch.ts'

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

function safeFetch(options: SafeFetchOptions) {
  const fetch = createSafeFetch(options)
  onTestFinished(() => fetch.close())
  return fetch
}

const body = Buffer.from('{}')

test.each([
  'http://127.0.0.1/',
  'http://localhost/',
  'http://10.1.2.3/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0.0.0.0/',
  'http://[fd00::1]/',
])('%s is refused without a connection', async (url) => {
  const fetch = safeFetch({ allowPrivate: false })
  const sent = [fetch.post(url, body, {}, 2_000), fetch.get(url, { timeoutMs: 2_000, maxBytes: 100 })]
  for (const sending of sent) {
    const error: unknown = await sending.catch((reason: unknown) => reason)
    const cause = error instanceof Error && error.cause ? error.cause : error
    expect(cause).toBeInstanceOf(ForbiddenTarget)
  }
})

test('a document is read up to its limit, and a redirect to one is not followed', async () => {
  const url = await receiver((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/hook' }).end()
    else response.writeHead(200, { 'cache-control': 'max-age=60' }).end('12345678')
  })
  const fetch = safeFetch({ allowPrivate: true })
  const get = (target: string, maxBytes: number) => fetch.get(target, { timeoutMs: 2_000, maxBytes })
  const read = await get(url, 8)
  expect(read).toMatchObject({ status: 200, cacheControl: 'max-age=60' })
  expect(Buffer.from(read.body).toString()).toBe('12345678')
  await expect(get(url, 7)).rejects.toThrow('larger than 7 bytes')
  expect(await get(new URL('/moved', url).href, 8)).toMatchObject({ status: 302, body: new Uint8Array() })
})

test('private targets are allowed where the operator says so', async () => {
  const url = await receiver((_request, response) => response.writeHead(204).end())
  expect(await safeFetch({ allowPrivate: true }).post(url, body, {}, 2_000)).toEqual({ status: 204 })
})

test('the demo’s own receiver is allowed, under its exact URL only', async () => {
  const url = await receiver((_request, response) => response.writeHead(200).end())
  const fetch = safeFetch({ allowPrivate: false, allowedUrls: new Set([url]) })
  expect(await fetch.post(url, body, {}, 2_000)).toEqual({ status: 200 })
  await expect(fetch.post(`${url}/other`, body, {}, 2_000)).rejects.toThrow()
})

test('a redirect is an answer, and is not followed', async () => {
  const seen: (string | undefined)[] = []
  const url = await receiver((request, response) => {
    seen.push(request.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect(await safeFetch({ allowPrivate: true }).post(url, body, {}, 2_000)).toEqual({ status: 302 })
  expect(seen).toEqual(['/hook'])
})

const secrets = { secret: 'whsec_00112233445566778899aabbccddeeff', previous: undefined }

test('a timeout is a failed attempt, not an exception', async () => {
  const url = await receiver(() => undefined)
  const attempt = await attemptSend(
    { url, secrets, body, timeoutMs: 50, eventId: 'e1', namesEvent: false },
    { fetch: safeFetch({ allowPrivate: true }), serviceName: 'Svc', standardHeaders: false, now: Date.now },
  )
  expect(attempt).toMatchObject({ status: undefined, error: 'no answer in time', retryable: true })
})

/** The headers of one send, as the receiver reads them. */
async function sentHeaders(outgoing: Partial<Outgoing>, standardHeaders = false) {
  const seen: NodeJS.Dict<string | string[]>[] = []
  const url = await receiver((request, response) => {
    seen.push(request.headers)
    response.writeHead(200).end()
  })
  const deps = {
    fetch: safeFetch({ allowPrivate: true }),
    serviceName: 'Acme',
    standardHeaders,
    now: Date.now,
  }
  await attemptSend(
    { url, secrets, body, timeoutMs: 2_000, eventId: 'e1', namesEvent: false, ...outgoing },
    deps,
  )
  return seen[0] ?? {}
}

test('headers carry the service name, and the event ID and those of Standard Webhooks only on request', async () => {
  const plain = await sentHeaders({})
  expect(plain).toMatchObject({ 'content-type': 'application/json' })
  expect(plain['x-acme-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
  expect(Object.keys(plain).filter((name) => /event|webhook/.test(name))).toEqual([])
  expect((await sentHeaders({ namesEvent: true }))['x-acme-event-id']).toBe('e1')
  expect(await sentHeaders({}, true)).toMatchObject({ 'webhook-id': 'e1' })
})

test('after a rotation both secrets sign for a while where the header can have two, and then the new one alone', async () => {
  const old = 'whsec_ffeeddccbbaa99887766554433221100'
  const event = '{"event_type":"x"}'
  const send = (untilMs: number) =>
    sentHeaders(
      { secrets: { ...secrets, previous: { secret: old, untilMs } }, body: Buffer.from(event) },
      true,
    )
  const refused = { code: 'invalid_signature' }

  const during = await send(Date.now() + 60_000)
  for (const secret of [secrets.secret, old])
    expect((await webhooks.verify(event, during, secret)).kind).toBe('other')
  const header = during['x-acme-signature']
  expect((await webhooks.verify(event, header, secrets.secret)).kind).toBe('other')
  await expect(webhooks.verify(event, header, old)).rejects.toMatchObject(refused)

  const after = await send(Date.now() - 1)
  expect((await webhooks.verify(event, after, secrets.secret)).kind).toBe('other')
  await expect(webhooks.verify(event, after, old)).rejects.toMatchObject(refused)
})

/** A resolver that answers when the test says so. */
function names() {
  const asked: string[] = []
  const answers = new Map<string, () => void>()
  const resolve: Resolve = (hostname, _options, callback) => {
    asked.push(hostname)
    answers.set(hostname, () => callback(null, [{ address: '192.0.2.1', family: 4 }]))
  }
  return { asked, resolve, answer: (hostname: string) => answers.get(hostname)?.() }
}

test('concurrent look-ups of one name share one query', () => {
  const { asked, resolve, answer } = names()
  const lookup = sharedLookup(resolve)
  const resolved: string[] = []
  const ask = (hostname: string) =>
    lookup(hostname, { all: true }, (_error, [found]) => resolved.push(`${hostname} ${found?.address}`))
  for (let sends = 0; sends < 100; sends += 1) ask('silent.example')
  ask('well.example')
  answer('well.example')
  expect(asked).toEqual(['silent.example', 'well.example'])
  expect(resolved).toEqual(['well.example 192.0.2.1'])

  answer('silent.example')
  expect(resolved).toHaveLength(101)
  ask('silent.example')
  expect(asked).toHaveLength(3)
})
