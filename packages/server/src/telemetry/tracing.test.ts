import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { getHistory, postSnapshot, startTestServer } from '../../test/running-server.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'

const Attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }),
})
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(Attribute),
})
const Export = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(Span) })) })),
})

/** A collector that stores the JSON it receives. */
async function collector(status = 200) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(`${request.url} ${Buffer.concat(chunks).toString()}`)
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies
        .filter((body) => body.startsWith('/v1/traces '))
        .flatMap((body) => Export.parse(JSON.parse(body.slice('/v1/traces '.length))).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  }
}

/** Runs a server until it has stopped, which exports the last spans. */
async function traced(endpoint: string, log: string[] = []) {
  const receiver = await webhookReceiver()
  const server = await startTestServer({
    endpoints: [receiver.url],
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, FOLLOW_UP_SECONDS: '0' },
    logTo: { write: (line) => void log.push(line) },
  })
  const requestId = randomUUID()
  await postSnapshot(server, requestId)
  await getHistory(server, `request_id/${requestId}`)
  await fetch(`${server.url}/v1/profile`, { headers: { authorization: 'Bearer marker' } })
  for (const api of ['assess', 'decide', 'labels'])
    await fetch(`${server.url}/api/v1/${api}`, { method: 'POST', body: '{}' })
  await receiver.count(1)
  await server.close()
  return { server, requestId, receiver }
}

test('the steps of an identification, requests of backends and webhook requests are traced', async () => {
  const { url, spans } = await collector()
  await traced(url)

  const known = spans()
  const named = (name: string) => known.filter((span) => span.name === name)
  const [root] = named('POST /snapshot/*')
  expect(root?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const parentOf = (name: string) => named(name).map(({ traceId, parentSpanId }) => [traceId, parentSpanId])
  const [identify] = named('identify')
  for (const step of ['decode', 'enrich', 'identify'])
    expect(parentOf(step)).toEqual([[root?.traceId, root?.spanId]])
  for (const step of ['score', 'commit']) expect(parentOf(step)).toEqual([[root?.traceId, identify?.spanId]])
  expect(named('GET /api/v1/history/*')).toHaveLength(1)
  expect(named('GET /v1/profile')).toHaveLength(1)
  for (const api of ['assess', 'decide', 'labels']) expect(named(`POST /api/v1/${api}`)).toHaveLength(1)
  const [send] = named('webhook')
  expect(send?.parentSpanId ?? '').toBe('')
  expect(send?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 204 } })
})

test('spans contain no identifier, address, key or URL', async () => {
  const { url, bodies } = await collector()
  const { server, requestId, receiver } = await traced(url)
  const text = bodies.join('\n')
  expect(text).toContain('POST /snapshot/*')
  for (const secret of [requestId, '127.0.0.1', receiver.url, ...Object.values(server.keys)])
    expect(text).not.toContain(secret)
})

test('a collector that rejects spans costs one log line and no identification', async () => {
  const { url } = await collector(400)
  const log: string[] = []
  await traced(url, log)
  expect(log.filter((line) => line.includes('traces could not be exported'))).toHaveLength(1)
})
