import { createPrivateKey, createPublicKey } from 'node:crypto'
import { type Item, parseDictionary, serializeDictionary } from 'structured-headers'
import { describe, expect, test } from 'vitest'
import { agentKey, signedHeaders } from '../../../test/signed-agent.ts'
import type { SignedRequest } from '../../visit/agent-identity.ts'
import { readSignatures, signatureBase, verifyMessage } from './message-signature.ts'

/** The example key of RFC 9421, appendix B.1.4. */
const RFC_KEY = createPublicKey({
  key: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
  format: 'jwk',
})

const requestOf = (given: Partial<SignedRequest>): SignedRequest => ({
  method: 'GET',
  scheme: 'https',
  authorities: ['example.com'],
  targets: ['/path/to/resource'],
  headers: [],
  ...given,
})

/** Whether any of its signatures was made with the key. */
const isVerified = (request: SignedRequest, key = RFC_KEY): boolean =>
  (readSignatures(request) ?? []).some((signature) => verifyMessage(signature, request, key) !== undefined)

describe('published examples are verified', () => {
  test('of RFC 9421, appendix B.2.6', () => {
    const request = requestOf({
      method: 'POST',
      targets: ['/foo?param=Value&Pet=dog'],
      headers: [
        ['host', 'example.com'],
        ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
        ['content-type', 'application/json'],
        ['content-length', '18'],
        [
          'signature-input',
          'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
        ],
        [
          'signature',
          'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
        ],
      ],
    })
    expect(isVerified(request)).toBe(true)
    expect(isVerified({ ...request, method: 'PUT' })).toBe(false)
  })

  // The Ed25519 vectors of the working group's draft, from
  // https://github.com/cloudflare/web-bot-auth/blob/main/packages/web-bot-auth/test/test_data/web_bot_auth_architecture_v2.json
  test.each([
    [
      'without an agent',
      'sig1=("@authority");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==";tag="web-bot-auth"',
      'sig1=:QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==:',
    ],
    [
      'with an agent in a dictionary',
      'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
      'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
    ],
  ])('of the draft, %s', (_name, input, signature) => {
    const headers: SignedRequest['headers'] = [
      ['signature-agent', 'agent2="https://signature-agent.test"'],
      ['signature-input', input],
      ['signature', signature],
    ]
    expect(isVerified(requestOf({ headers }))).toBe(true)
    expect(isVerified(requestOf({ headers, authorities: ['example.org'] }))).toBe(false)
  })
})

describe('a valid signature stops being one', () => {
  const key = agentKey()
  const publicKey = createPublicKey(createPrivateKey(key.privateKey.export({ type: 'pkcs8', format: 'pem' })))
  const AUTHORITY = 'shop.example'
  const TARGET = '/cart/checkout?step=2'

  function signedRequest(): SignedRequest {
    const headers = signedHeaders({
      key,
      authority: AUTHORITY,
      agent: 'g="https://agent.example"',
      method: 'POST',
      components: [
        ['"@authority"', AUTHORITY],
        ['"@method"', 'POST'],
        ['"@path"', '/cart/checkout'],
        ['"@query"', '?step=2'],
        ['"signature-agent";key="g"', '"https://agent.example"'],
        ['"user-agent"', 'Brew Buyer/2.1'],
      ],
    })
    const all = { ...headers, 'user-agent': 'Brew Buyer/2.1' }
    return {
      method: 'POST',
      scheme: 'https',
      authorities: [AUTHORITY],
      targets: [TARGET],
      headers: Object.entries(all),
    }
  }

  /** What a header says, however it is spelled: spaces in a structured field mean nothing, for example. */
  function meaningOf(name: string, value: string): string {
    if (!name.startsWith('signature')) return value.trim()
    try {
      return serializeDictionary(parseDictionary(value))
    } catch {
      return value
    }
  }

  /** A small generator with a fixed seed (https://en.wikipedia.org/wiki/Linear_congruential_generator). */
  function chances(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
  }

  const CHARACTERS = [...'abcXYZ019+/=-_.:;,"()@?& %\\*']

  function mutated(text: string, chance: (below: number) => number): string {
    const at = chance(text.length + 1)
    const other = CHARACTERS[chance(CHARACTERS.length)] ?? 'a'
    switch (chance(4)) {
      case 0:
        return text.slice(0, at) + other + text.slice(at)
      case 1:
        return text.slice(0, at) + text.slice(at + 1)
      case 2:
        return text.slice(0, at) + other + text.slice(at + 1)
      default:
        return (
          text.slice(0, at) +
          text
            .slice(at, at + 8)
            .split('')
            .reverse()
            .join('') +
          text.slice(at + 8)
        )
    }
  }

  test('in each of 10,000 mutations', () => {
    const request = signedRequest()
    expect(isVerified(request, publicKey)).toBe(true)
    const chance = chances(20_261_122)
    const said = request.headers.map(([name, value]) => meaningOf(name, value))
    let tried = 0
    while (tried < 10_000) {
      const part = chance(request.headers.length + 3)
      const sent = [request.method, AUTHORITY, TARGET, ...request.headers.map(([, value]) => value)]
      const [name = ''] = request.headers[part - 3] ?? []
      const other = mutated(sent[part] ?? '', chance)
      if (part < 3 ? other === sent[part] : meaningOf(name, other) === said[part - 3]) continue
      const [method = '', authority = '', target = '', ...values] = sent.with(part, other)
      const changed: SignedRequest = {
        ...request,
        method,
        authorities: [authority],
        targets: [target],
        headers: request.headers.map(([header], index) => [header, values[index] ?? ''] as const),
      }
      tried += 1
      if (isVerified(changed, publicKey)) throw new Error(`accepted: ${JSON.stringify(changed)}`)
    }
    expect(tried).toBe(10_000)
  })

  test.each([
    [
      'another header of the same name',
      (request: SignedRequest) => [...request.headers, ['user-agent', 'x'] as const],
    ],
    [
      'a line break in a value',
      (request: SignedRequest) =>
        request.headers.map(
          ([name, value]) => [name, name === 'user-agent' ? `${value}\n"x": y` : value] as const,
        ),
    ],
    ['no such header', (request: SignedRequest) => request.headers.filter(([name]) => name !== 'user-agent')],
  ])('with %s', (_name, headersOf) => {
    const request = signedRequest()
    expect(isVerified({ ...request, headers: headersOf(request) }, publicKey)).toBe(false)
  })

  test('when it covers what is not supported', () => {
    const components = [['"user-agent";bs', 'x']] as const
    const headers = signedHeaders({ key, authority: AUTHORITY, agent: '"https://agent.example"', components })
    expect(isVerified(requestOf({ headers: Object.entries(headers) }), publicKey)).toBe(false)
  })
})

test('a field of which many members are covered is parsed once', () => {
  let reads = 0
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`)
  const headers: SignedRequest['headers'] = [['x-dictionary', keys.map((key) => `${key}=1`).join(', ')]]
  const request = {
    ...requestOf({}),
    get headers() {
      reads += 1
      return headers
    },
  }
  const components = keys.map((key): Item => ['x-dictionary', new Map([['key', key]])])
  const seen = { authority: 'example.com', target: '/' }
  expect(signatureBase({ components, signatureParams: '()' }, request, seen)).toContain(
    '"x-dictionary";key="k19": 1',
  )
  expect(reads).toBe(1)
})
