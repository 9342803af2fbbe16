import { type LookupAddress, promises } from 'node:dns'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createSafeFetch, ForbiddenTarget, publicLookup, type Resolve } from '../../src/deliver/safe-fetch.ts'
import { type DnsAnswer, type DnsServer, startDnsServer } from '../dns-server.ts'
import { HIDDEN_ADDRESSES } from './hidden-hosts.ts'

/** Names whose owner chooses what they resolve to, and changes it between two questions. */

/** Addresses of nobody's receiver: they are only told, never connected to. */
const PUBLIC = ['9.9.9.9', '2620:fe::fe'] as const

interface Zone {
  dns: DnsServer
  resolve: Resolve
}

/** A resolver whose answers, by record type, are taken one after another; the last one stays. */
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

/** What a socket that is about to be opened is told. */
const told = (resolve: Resolve) =>
  promisify(publicLookup(resolve))('rebound.example', { all: true }) as Promise<unknown>

test.each(HIDDEN_ADDRESSES)('a name that resolves to %s is refused', async (address) => {
  const { resolve } = await zone({ [familyOf(address)]: [[address]] })
  expect(await post(resolve)).toBeInstanceOf(ForbiddenTarget)
})

test.each(HIDDEN_ADDRESSES)('a name with a public address and %s is refused as a whole', async (address) => {
  const other = PUBLIC[familyOf(address) === 'A' ? 1 : 0]
  const { resolve } = await zone({ [familyOf(address)]: [[address]], [familyOf(other)]: [[other]] })
  await expect(told(resolve)).rejects.toThrow(ForbiddenTarget)
})

test('a name that answers differently the second time is checked the second time', async () => {
  const { resolve } = await zone({ A: [[PUBLIC[0]], ['127.0.0.1']] })
  expect(await told(resolve)).toEqual([{ address: PUBLIC[0], family: 4 }])
  await expect(told(resolve)).rejects.toThrow(ForbiddenTarget)
})

test('between check and connection there is no second question', async () => {
  const { dns, resolve } = await zone({ A: [['127.0.0.1']] })
  expect(await post(resolve)).toBeInstanceOf(ForbiddenTarget)
  expect(dns.asked.toSorted()).toEqual(['rebound.example A', 'rebound.example AAAA'])
})
