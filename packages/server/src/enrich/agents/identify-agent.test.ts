import { Resolver } from 'node:dns/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type DnsAnswer, startDnsServer } from '../../../test/dns-server.ts'
import type { AgentIdentity } from '../../visit/agent-identity.ts'
import { createCrawlerVerifier } from '../crawlers/crawler-verifier.ts'
import { readCatalogue } from './catalogue.ts'
import { createAgents } from './identify-agent.ts'
import { createKeyDirectories } from './key-directories.ts'

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const READ_ALOUD =
  'Mozilla/5.0 (compatible; Google-Read-Aloud; +https://support.google.com/webmasters/answer/1061943)'
const CHATGPT_USER = 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)'
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const ADDRESS = '66.249.66.1'
const REVERSE = '1.66.249.66.in-addr.arpa PTR'
const HOST = 'crawl-66-249-66-1.googlebot.com'

/** Who the request is from, once DNS has answered. */
async function identify(
  userAgent: string,
  given: { zone?: Record<string, DnsAnswer>; listed?: string; address?: string } = {},
): Promise<AgentIdentity | undefined> {
  const { zone = {}, listed, address = ADDRESS } = given
  const dns = await startDnsServer((question) => zone[question] ?? 'no_such_name')
  onTestFinished(() => dns.close())
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers([dns.address])
  const crawlers = createCrawlerVerifier({ crawlerOf: () => undefined, resolver })
  const agents = createAgents({
    catalogue: await readCatalogue('public'),
    checkSignature: () => undefined,
    directories: createKeyDirectories({
      fetch: () => Promise.reject(new Error('off')),
      isKnown: () => false,
    }),
    proveAddress(name, claim) {
      if (listed === name) return 'published_range'
      const crawler = crawlers.verify(claim.userAgent, claim.address)
      if (crawler === 'pending') return 'pending'
      if (crawler?.name === name) return crawler.by
      return crawlers.refutes(claim.userAgent, claim.address) ? 'refuted' : undefined
    },
    settleAddress: (claim) => crawlers.settle(claim.userAgent, claim.address),
  })
  const claim = { userAgent, address, use: 'visit 1', atMs: Date.now(), signed: undefined }
  await agents.settled(claim, agents.identify(claim))
  return agents.identify(claim)
}

test('a crawler is verified by its host name, and an agent by the list of its operator', async () => {
  const zone = { [REVERSE]: [HOST], [`${HOST} A`]: [ADDRESS] }
  expect(await identify(GOOGLEBOT, { zone })).toMatchObject({
    standing: 'verified',
    id: 'googlebot',
    category: 'search_crawler',
    proof: 'reverse_dns',
  })
  expect(await identify(CHATGPT_USER, { listed: 'ChatGPT-User' })).toMatchObject({
    standing: 'verified',
    operator: 'OpenAI',
    category: 'assistant',
    proof: 'published_range',
  })
})

test('only what DNS refutes is spoofed', async () => {
  expect(await identify(GOOGLEBOT)).toMatchObject({ standing: 'spoofed', id: 'googlebot' })
  const unknown: [string, Parameters<typeof identify>[1]][] = [
    // An outage of DNS, an address inside a network, fetchers that users trigger, and an operator without host names.
    [GOOGLEBOT, { zone: { [REVERSE]: 'server_failure' } }],
    [GOOGLEBOT, { address: '10.0.0.7' }],
    [READ_ALOUD, {}],
    [CHATGPT_USER, {}],
    ['SomeNewBot/1.0 (+https://bot.example)', {}],
  ]
  for (const [userAgent, given] of unknown)
    expect(await identify(userAgent, given), userAgent).toMatchObject({ standing: 'unknown' })
})

test('a browser declares nothing', async () => {
  expect(await identify(BROWSER)).toBeUndefined()
})
