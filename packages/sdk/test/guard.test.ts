import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runCli } from '../../server/test/run-cli.ts'
import { startTestServer } from '../../server/test/running-server.ts'
import { createClient } from '../src/client.ts'
import { edgeRequestOfWeb } from '../src/edge-request.ts'
import { expressGuard, fastifyGuard, webGuard } from '../src/guard.ts'
import { silentHost } from './silent-host.ts'

const RULES = [
  { action: 'deny', category: ['ai_training'] },
  { action: 'limit', per_minute: 1, identity: ['unknown'], category: ['seo'] },
]
let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
  const set = { DATA_DIR: server.directory }
  const input = JSON.stringify(RULES)
  await runCli(['agents', 'rules', server.keys.domain, '--set', '-'], set, input)
  // The server looks for changes four times a second.
  await vi.waitFor(
    async () => {
      const asked = edgeRequestOfWeb(
        new Request('https://shop.example/', { headers: agent('GPTBot') }),
        facts(),
      )
      if ((await clientOf().assess(asked)).rule === null) throw new Error('no rules yet')
    },
    { timeout: 20_000 },
  )
})
afterAll(() => server.close())

const clientOf = (historyUrl = server.url) => createClient({ historyUrl, apiKey: server.keys.api_key })
const agent = (name: string) => ({ 'user-agent': `Mozilla/5.0 (compatible; ${name}/1.0)` })
const facts = () => ({ address: '91.10.0.7', origin: 'https://shop.example' })
/** No time limit that a busy machine could reach. */
const patient = { facts, timeoutMs: 20_000 }

/** The answers to a person, to an agent that is denied, and to two requests of one that is limited. */
async function statuses(
  ask: (headers: Record<string, string>) => Promise<{ status: number }>,
): Promise<number[]> {
  const found: number[] = []
  for (const name of ['Person', 'GPTBot', 'AhrefsBot', 'AhrefsBot'])
    found.push((await ask(name === 'Person' ? { 'user-agent': 'Person' } : agent(name))).status)
  return found
}

test('middleware for Express and Node refuses what the rules deny, and gives the page the assessment', async () => {
  const guard = expressGuard(clientOf(), patient)
  const site = createServer((request, response) =>
    guard(request, response, () => response.end(JSON.stringify((request as { inkling?: unknown }).inkling))),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close().closeAllConnections())
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/cart?x=1`
  const page = (headers: Record<string, string>) => fetch(url, { headers })
  expect(await (await page(agent('ClaudeBot'))).text()).toBe('')
  expect(await (await page(agent('Slackbot'))).json()).toMatchObject({
    agent: { id: 'slackbot' },
    action: null,
  })
})

test('a hook for Fastify does the same', async () => {
  const site = Fastify()
  onTestFinished(() => site.close())
  site.addHook('onRequest', fastifyGuard(clientOf(), patient))
  site.get('/', () => 'page')
  const url = await site.listen({ host: '127.0.0.1', port: 0 })
  expect(await statuses((headers) => fetch(url, { headers }))).toEqual([200, 403, 200, 429])
})

test('a web-standard request gets the response to answer with', async () => {
  const guard = webGuard(clientOf(), patient)
  const ask = async (name: string) => guard(new Request('https://shop.example/', { headers: agent(name) }))
  const denied = await ask('GPTBot')
  expect([denied.response?.status, denied.assessment?.agent?.operator]).toEqual([403, 'OpenAI'])
  expect((await ask('Bingbot')).response).toBeUndefined()
})

test('without an answer in time the request goes on, and the site hears why', async () => {
  const failures: unknown[] = []
  const silent = await silentHost()
  onTestFinished(silent.close)
  const guard = webGuard(clientOf(silent.url), {
    facts,
    timeoutMs: 50,
    failed: (error) => failures.push(error),
  })
  expect(await guard(new Request('https://shop.example/'))).toEqual({
    assessment: undefined,
    response: undefined,
  })
  expect(failures).toMatchObject([{ code: 'timeout' }])
})

test('secrets of a visitor stay on the site', () => {
  const headers = { cookie: 'session=1', authorization: 'Bearer x', accept: '*/*' }
  const sent = edgeRequestOfWeb(new Request('https://shop.example/', { headers }), facts())
  expect(Object.fromEntries(sent.headers)).toEqual({ cookie: '', authorization: '', accept: '*/*' })
})
