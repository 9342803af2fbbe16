import { expect, onTestFinished, test } from 'vitest'
import { type DirectoryServer, directoryServer } from '../../../test/key-directory-server.ts'
import { type AgentKey, agentKey, signedHeaders, type ToSign } from '../../../test/signed-agent.ts'
import { createSafeFetch } from '../../deliver/safe-fetch.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import type { SignatureCheck } from '../../visit/agent-identity.ts'
import { createKeyDirectories } from './key-directories.ts'
import { DIRECTORY_PATH } from './key-directory.ts'
import { type CheckSignature, createWebBotAuth, type Sent } from './web-bot-auth.ts'

const AUTHORITY = 'shop.example'
const ADDRESS = '192.0.2.7'
const key = agentKey()

interface Operator {
  directory: DirectoryServer
  clock: { nowMs: number }
  check: CheckSignature
  /** Checks a request that is signed now. */
  ask(given?: Partial<ToSign>, sent?: Partial<Sent>): SignatureCheck | undefined
  /** The same, once its keys are there. */
  settled(given?: Partial<ToSign>): Promise<SignatureCheck | undefined>
}

/** An operator whose directory, a real server on loopback, is in the catalogue. */
async function operator(publish: () => unknown = () => ({ keys: [key.jwk] })): Promise<Operator> {
  const clock = { nowMs: Date.UTC(2026, 10, 22) }
  const directory = await directoryServer((_request, response) => {
    const body = publish()
    response.statusCode = body === undefined ? 503 : 200
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  const safeFetch = createSafeFetch({
    allowPrivate: false,
    allowedUrls: new Set([directory.origin + DIRECTORY_PATH]),
  })
  onTestFinished(() => safeFetch.close())
  const now = () => clock.nowMs
  const isKnown = (origin: string) => origin === directory.origin
  const directories = createKeyDirectories({ fetch: safeFetch.get, isKnown, now, monotonicMs: now })
  const check = createWebBotAuth({ directories, isKnown, now })
  const ask = (given: Partial<ToSign> = {}, sent: Partial<Sent> = {}) => {
    const headers = signedHeaders({
      key,
      authority: AUTHORITY,
      agent: `"${directory.origin}"`,
      created: Math.floor(clock.nowMs / 1_000),
      ...given,
    })
    return check(
      {
        method: 'GET',
        scheme: 'https',
        authorities: [AUTHORITY],
        targets: ['/'],
        headers: Object.entries(headers),
      },
      { address: ADDRESS, use: 'visit 1', atMs: clock.nowMs, ...sent },
    )
  }
  return {
    directory,
    clock,
    check,
    ask,
    async settled(given) {
      if (ask(given)?.state === 'pending') await directories.settled(directory.origin)
      return ask(given)
    },
  }
}

test('the first request of an operator is pending, and the next ones are valid without asking again', async () => {
  const { ask, settled, directory } = await operator()
  expect(ask()).toMatchObject({ state: 'pending', directory: directory.origin })
  expect(await settled()).toMatchObject({ state: 'valid', keyId: key.thumbprint, tag: 'web-bot-auth' })
  expect(ask()?.state).toBe('valid')
  expect(directory.asked).toEqual([DIRECTORY_PATH])
})

const named = ({ jwk: { kid: _, ...jwk } }: AgentKey, kid?: string) => ({ ...jwk, ...(kid && { kid }) })
const other = agentKey()

test.each([
  ['a single JWK', () => key.jwk, {}],
  ['keys without names', () => ({ keys: [named(other), named(key)] }), {}],
  ['a key with a name of its own', () => ({ keys: [named(key, 'spring')] }), { keyId: 'spring' }],
  ['keys of other kinds', () => ({ keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }, 'x', key.jwk] }), {}],
])('a directory may publish %s', async (_name, publish, given) => {
  expect(await (await operator(publish)).settled(given)).toMatchObject({ state: 'valid' })
})

test('the agent may be the member of a dictionary', async () => {
  const { settled, directory } = await operator()
  const components = (id: string) =>
    [
      ['"@authority"', AUTHORITY],
      [id, id.includes('key') ? `"${directory.origin}"` : `g="${directory.origin}"`],
    ] as const
  const agent = `g="${directory.origin}"`
  expect(await settled({ agent, components: components('"signature-agent";key="g"') })).toMatchObject({
    state: 'valid',
  })
  expect(await settled({ agent, components: components('"signature-agent"') })).toMatchObject({
    state: 'valid',
  })
})

test('the tags of commerce profiles say what the agent is about to do', async () => {
  const { settled } = await operator()
  expect(await settled({ tag: 'agent-payer-auth' })).toMatchObject({ state: 'valid', purpose: 'pay' })
  expect(await settled({ tag: 'agent-browser-auth' })).toMatchObject({ state: 'valid', purpose: 'browse' })
  expect(await settled({ tag: 'another' })).toBeUndefined()
})

test('a signature counts once: the same visit may be judged again, another address or visit is a replay', async () => {
  const { ask, settled } = await operator()
  const given = { nonce: 'n1' }
  expect(await settled(given)).toMatchObject({ state: 'valid' })
  expect(ask(given)?.state).toBe('valid')
  const replayed = { state: 'refused', reason: 'replayed' }
  expect(ask(given, { address: '198.51.100.9' })).toMatchObject(replayed)
  expect(ask(given, { use: 'visit 2' })).toMatchObject(replayed)
})

test('a visit that is judged again later is judged by its own time', async () => {
  const { ask, settled, clock } = await operator()
  await settled()
  const atMs = clock.nowMs
  const created = Math.floor(atMs / 1_000)
  clock.nowMs += 20 * MINUTE_MS
  expect(ask({ created })).toMatchObject({ reason: 'expired' })
  expect(ask({ created }, { atMs })).toMatchObject({ state: 'valid' })
})

test('two signatures of a request are checked, and no more', async () => {
  const { check, settled, directory, clock } = await operator()
  await settled()
  const signed = (given: Partial<ToSign>) =>
    signedHeaders({
      key,
      authority: AUTHORITY,
      agent: `"${directory.origin}"`,
      created: Math.floor(clock.nowMs / 1_000),
      ...given,
    })
  const together = (...kinds: Partial<ToSign>[]) => {
    const all = kinds.map(signed)
    const joined = (name: 'signature-input' | 'signature') =>
      all.map((headers, index) => headers[name].replace('sig1', `sig${index}`)).join(', ')
    return check(
      {
        method: 'GET',
        scheme: 'https',
        authorities: [AUTHORITY],
        targets: ['/'],
        headers: [
          ['signature-agent', `"${directory.origin}"`],
          ['signature-input', joined('signature-input')],
          ['signature', joined('signature')],
        ],
      },
      { address: ADDRESS, use: 'visit 1', atMs: clock.nowMs },
    )
  }
  const wrong = { authority: 'other.example' }
  expect(together({ tag: 'another' }, wrong, {})).toMatchObject({ state: 'valid' })
  expect(together(wrong, wrong, {})).toMatchObject({ state: 'refused', reason: 'wrong_signature' })
})

test.each<[string, (seconds: number) => Partial<ToSign>, string]>([
  ['too old', (now) => ({ created: now - 900, expires: now - 600 }), 'expired'],
  [
    'an hour old, however long it claims to live',
    (now) => ({ created: now - 3_700, expires: now + 9e6 }),
    'expired',
  ],
  ['of the future', (now) => ({ created: now + 600 }), 'not_yet_valid'],
  ['by another key', () => ({ keyId: other.thumbprint }), 'unknown_key'],
  [
    'made by a stranger under the name of the key',
    () => ({ key: other, keyId: key.thumbprint }),
    'wrong_signature',
  ],
  ['for another host', () => ({ authority: 'other.example' }), 'wrong_signature'],
  [
    'of something that is not supported here',
    () => ({
      components: [
        ['"@authority"', AUTHORITY],
        ['"@query-param";name="x"', '1'],
        ['"signature-agent"', 'x'],
      ],
    }),
    'unsupported_component',
  ],
  ['of nothing but the agent', () => ({ components: [['"signature-agent"', 'x']] }), 'missing_component'],
  ['not of the agent it names', () => ({ components: [['"@authority"', AUTHORITY]] }), 'missing_component'],
  [
    'of an agent that is no origin',
    () => ({ agent: '"https://agent.example/keys?x=1"' }),
    'unsupported_signature_agent',
  ],
  ['of an agent in plain text', () => ({ agent: 'chatgpt.com' }), 'unsupported_signature_agent'],
])('a signature is refused when it is %s', async (_name, given, reason) => {
  const { settled, clock } = await operator()
  await settled()
  expect(await settled(given(Math.floor(clock.nowMs / 1_000)))).toMatchObject({ state: 'refused', reason })
})

test('the example key of the RFC proves nothing: everybody has it', async () => {
  const published = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
  const { settled } = await operator(() => ({ keys: [published] }))
  const keyId = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'
  expect(await settled({ keyId })).toMatchObject({ state: 'refused', reason: 'published_private_key' })
})

test('an outage of a directory is remembered for minutes, and does not disown keys that were there', async () => {
  let published: unknown
  const { ask, settled, directory, clock } = await operator(() => published)
  expect(await settled()).toMatchObject({ state: 'refused', reason: 'directory_unavailable' })
  expect(ask()?.state).toBe('refused')
  expect(directory.asked).toHaveLength(1)

  published = { keys: [key.jwk] }
  clock.nowMs += 6 * MINUTE_MS
  expect(await settled()).toMatchObject({ state: 'valid' })
  published = undefined
  clock.nowMs += 70 * MINUTE_MS
  expect(await settled()).toMatchObject({ state: 'valid' })
  await expect.poll(() => directory.asked.length).toBe(3)
})

test('a key that its directory withdraws is refused after its hour', async () => {
  let keys = [key.jwk]
  const { ask, settled, clock } = await operator(() => ({ keys }))
  await settled()
  keys = [other.jwk]
  clock.nowMs += 61 * MINUTE_MS
  ask()
  await expect.poll(() => ask()).toMatchObject({ state: 'refused', reason: 'unknown_key' })
})
