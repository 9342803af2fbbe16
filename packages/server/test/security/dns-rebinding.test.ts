import { type LookupAddress, promises } from 'node:dns'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSafeFetch, ForbiddenTarget, publicLookup, type Resolve } from '../../src/deliver/safe-fetch.ts'
import { type DnsAnswer, type DnsServer, startDnsServer } from '../dns-server.ts'
import { HIDDEN_ADDRESSES } from './hidden-hosts.ts'

/** Names that resolve to an internal address, or to a different address at the second query. */

/** Public addresses; the tests resolve to them but do not connect. */
const PUBLIC = ['9.9.9.9', '2620:fe::fe'] as const

interface Zone {
  dns: DnsServer
  resolve: Resolve
}

/** A resolver that returns the given answers of each record type in turn, and then repeats the last one. */
async function zone(answers: { A?: DnsAnswer[]; AAAA?: DnsAnswer[] }): Promise<Zone> {
  const left = { A: [...(answers.A ?? [])], AAAA: [...(answers.AAAA ?? [])] }
  const dns = await startDnsServer((question) => {
    const queue = question.endsWith(' AAAA') ? left.AAAA : left.A
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? []
  })
  onTestFinished(dns.close)
  const resolver = new promises.Resolver()
  resolver.setServers([dns.address])
  const all = async (name: string, ask: (name: string) => Promise<string[]>, family: 4 | 6) =>
    (await ask(name).catch(() => [])).map((address): LookupAddress => ({ address, family }))
  const resolve: Resolve = (name, _options, callback) => {
    void Promise.all([
      all(name, (each) => resolver.resolve4(each), 4),
      all(name, (each) => resolver.resolve6(each), 6),
    ]).then((found) => callback(null, found.flat()))
  }
  return { dns, resolve }
}

const familyOf = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A')

async function post(resolve: Resolve): Promise<unknown> {
  const fetch = createSafeFetch({ allowPrivate: false, resolve })
  onTestFinished(() => fetch.close())
  const error: unknown = await fetch
    .post('https://rebound.example/', Buffer.from('{}'), {}, 5_000)
    .catch((reason: unknown) => reason)
  return error instanceof Error && error.cause ? error.cause : error
}

/** The lookup of a socket before it connects. */
const lookUp = (resolve: Resolve) =>
  promisify(publicLookup(resolve))('rebound.example', { all: true }) as Promise<unknown>

test.each(HIDDEN_ADDRESSES)('a name that resolves to %s is rejected', async (address) => {
  const { resolve } = await zone({ [familyOf(address)]: [[address]] })
  expect(await post(resolve)).toBeInstanceOf(ForbiddenTarget)
})

test.each(HIDDEN_ADDRESSES)('a name with both a public address and %s is rejected', async (address) => {
  const other = PUBLIC[familyOf(address) === 'A' ? 1 : 0]
  const { resolve } = await zone({ [familyOf(address)]: [[address]], [familyOf(other)]: [[other]] })
  await expect(lookUp(resolve)).rejects.toThrow(ForbiddenTarget)
})

test('a refusal names the name and never the address that it leads to', async () => {
  const { resolve } = await zone({ A: [[PUBLIC[0], '10.1.2.3']] })
  const { message } = (await post(resolve)) as Error
  expect(message).toBe('rebound.example leads to a loopback or private address (WEBHOOK_ALLOW_PRIVATE)')
})

test('a name is checked at each resolution', async () => {
  const { resolve } = await zone({ A: [[PUBLIC[0]], ['127.0.0.1']] })
  expect(await lookUp(resolve)).toEqual([{ address: PUBLIC[0], family: 4 }])
  await expect(lookUp(resolve)).rejects.toThrow(ForbiddenTarget)
})

test('the connection uses the checked address without a second query', async () => {
  const { dns, resolve } = await zone({ A: [['127.0.0.1']] })
  expect(await post(resolve)).toBeInstanceOf(ForbiddenTarget)
  expect(dns.asked.toSorted()).toEqual(['rebound.example A', 'rebound.example AAAA'])
})
