import { createHmac, createSign, generateKeyPairSync, hkdfSync } from 'node:crypto'
import { SessionAnswer } from '@inkling/contract/account'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServerSecrets } from '../../src/auth/server-secrets.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { ANALYST, OWNER, PASSWORD } from '../dashboard/dashboard-server.ts'
import { type GuardedServer, startGuardedServer } from './guarded-server.ts'

/** Forged and stolen tokens of the dashboard. */

let server: GuardedServer
/** The signing key. Most of these attackers do not have it. */
let key: Buffer
let secret: Buffer
let subject: { sub: string; sid: number }
let analyst: { sub: string; sid: number }
beforeAll(async () => {
  server = await startGuardedServer()
  secret = (await openServerSecrets(server.store.secrets)).secret_box_key
  key = Buffer.from(hkdfSync('sha256', secret, '', 'inkling account access token', 32))
  subject = subjectOf(server.tokens.owner)
  analyst = subjectOf(server.tokens.analyst)
})
afterAll(() => server?.close())

function subjectOf(token: string): { sub: string; sid: number } {
  const { sub = '', sid } = decodeJwt<{ sid: number }>(token)
  return { sub, sid }
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = { alg: 'HS256', typ: 'at+jwt' }
const seconds = () => Math.floor(Date.now() / 1_000)
const claims = () => ({
  ...subject,
  iss: 'inkling',
  aud: 'inkling-account',
  iat: seconds(),
  exp: seconds() + 600,
})

/** A token signed with HMAC. */
function signed(header: object, payload: object, by: Buffer | string = key, hash = 'sha256'): string {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${createHmac(hash, by).update(text).digest('base64url')}`
}

const without = (name: string): object =>
  Object.fromEntries(Object.entries(claims()).filter(([claim]) => claim !== name))

async function expectNobody(tokens: Record<string, string>): Promise<void> {
  for (const [what, token] of Object.entries(tokens)) {
    const answer = await server.account('GET', '/account/me', { token })
    expect([answer.status, answer.json], what).toEqual([401, { error: 'missing or invalid access token' }])
  }
}

test('a token made as the server makes them is valid', async () => {
  const token = signed(HEADER, claims())
  expect((await server.account('GET', '/account/me', { token })).json).toMatchObject({ email: OWNER })
})

test('other algorithms are rejected', async () => {
  const payload = part(claims())
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rs256 = `${part({ ...HEADER, alg: 'RS256' })}.${payload}`
  const rsaPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await expectNobody({
    none: `${part({ ...HEADER, alg: 'none' })}.${payload}.`,
    None: `${part({ ...HEADER, alg: 'None' })}.${payload}.`,
    'none with a signature': signed({ ...HEADER, alg: 'none' }, claims()),
    'no algorithm': signed({ typ: 'at+jwt' }, claims()),
    'an empty signature': `${part(HEADER)}.${payload}.`,
    'no signature': `${part(HEADER)}.${payload}`,
    'HS384 with the right key': signed({ ...HEADER, alg: 'HS384' }, claims(), key, 'sha384'),
    'HS512 with the right key': signed({ ...HEADER, alg: 'HS512' }, claims(), key, 'sha512'),
    'HS256 said to be RS256': signed({ ...HEADER, alg: 'RS256' }, claims()),
    'RS256 with a key of one’s own': `${rs256}.${createSign('sha256').update(rs256).sign(rsa.privateKey, 'base64url')}`,
    'HS256 over the text of a public key': signed(HEADER, claims(), rsaPem),
    'encrypted, in five parts': `${part({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`,
  })
})

test('public keys are rejected as signing keys', async () => {
  const agent = await (await fetch(`${server.url}/agent.js`)).text()
  const module = /"(\.\/agent\/[^"]+)"/.exec(agent)?.[1] ?? ''
  const script = await (await fetch(new URL(module, server.url))).text()
  const published = /"serverKey":"([\w-]+)"/.exec(script)?.[1]
  expect(published).toMatch(/^[\w-]{87}$/)
  await expectNobody({
    'the key for encrypted bodies': signed(HEADER, claims(), Buffer.from(published ?? '', 'base64url')),
    'its text': signed(HEADER, claims(), published),
    'the public key of a domain': signed(HEADER, claims(), server.keys.public_key),
    nothing: signed(HEADER, claims(), ''),
    zeros: signed(HEADER, claims(), Buffer.alloc(32)),
    'the secret that the key comes from': signed(HEADER, claims(), secret),
  })
})

test('key references in a token’s header are ignored', async () => {
  const jwk = { kty: 'oct', k: part('x'), alg: 'HS256' }
  const own = Buffer.from(jwk.k, 'base64url')
  await expectNobody({
    'kid of an empty file': signed({ ...HEADER, kid: '../../../../dev/null' }, claims(), ''),
    'kid with SQL': signed({ ...HEADER, kid: "' UNION SELECT 'x'--" }, claims(), 'x'),
    'a key inside': signed({ ...HEADER, jwk }, claims(), own),
    'the address of a key': signed({ ...HEADER, jku: 'https://thief.example/keys' }, claims(), own),
    'the address of a certificate': signed({ ...HEADER, x5u: 'https://thief.example/c' }, claims(), own),
    'a demand nobody knows': signed({ ...HEADER, crit: ['exp'], exp: 1 }, claims()),
    'a payload that is not encoded': signed({ ...HEADER, b64: false, crit: ['b64'] }, claims()),
  })
})

describe('with a valid signature', () => {
  test('a token with a missing or wrong claim is invalid', async () => {
    await expectNobody({
      'no end': signed(HEADER, without('exp')),
      'an end that is no number': signed(HEADER, { ...claims(), exp: '9999999999' }),
      'an end in the past': signed(HEADER, { ...claims(), exp: seconds() - 1 }),
      'a beginning in the future': signed(HEADER, { ...claims(), nbf: seconds() + 600 }),
      'no audience': signed(HEADER, without('aud')),
      'another audience': signed(HEADER, { ...claims(), aud: 'inkling-history' }),
      'another issuer': signed(HEADER, { ...claims(), iss: 'inkling2' }),
      'no issuer': signed(HEADER, without('iss')),
      'another type': signed({ ...HEADER, typ: 'JWT' }, claims()),
      'no type': signed({ alg: 'HS256' }, claims()),
      'no user': signed(HEADER, without('sub')),
      'no session': signed(HEADER, without('sid')),
      'a session in words': signed(HEADER, { ...claims(), sid: String(subject.sid) }),
    })
  })

  test('a token needs an open session of its user', async () => {
    await expectNobody({
      'no such session': signed(HEADER, { ...claims(), sid: 999_999 }),
      'the session of somebody else': signed(HEADER, { ...claims(), sid: analyst.sid }),
      'somebody else in this session': signed(HEADER, { ...claims(), sub: analyst.sub }),
      'a user with something behind': signed(HEADER, { ...claims(), sub: `${subject.sub} OR 1=1` }),
      'a session that is half': signed(HEADER, { ...claims(), sid: subject.sid + 0.5 }),
    })
  })
})

test('the role comes from the database, not from the token', async () => {
  const token = signed(HEADER, { ...claims(), ...analyst, role: 'owner' })
  expect((await server.account('GET', '/account/me', { token })).json).toMatchObject({ role: 'analyst' })
  expect((await server.account('GET', '/account/users', { token })).status).toBe(403)
})

test('a token is accepted only in its header', async () => {
  const { owner } = server.tokens
  for (const request of [
    { path: `/account/me?access_token=${owner}` },
    { path: '/account/me', headers: { cookie: `inkling_refresh=${owner}; access_token=${owner}` } },
    { path: '/account/me', headers: { authorization: `Basic ${owner}` } },
    { path: '/account/me', headers: { authorization: owner } },
    { path: '/account/me', headers: { 'x-authorization': `Bearer ${owner}` } },
    { path: '/account/me', headers: { authorization: ['Bearer x', `Bearer ${owner}`] } },
  ])
    expect((await rawRequest(server, request)).status).toBe(401)
})

test('an ended session, a removed user and a new role apply to tokens already issued', async () => {
  const login = async () => {
    const answer = await fetch(`${server.url}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ANALYST, password: PASSWORD }),
    })
    return SessionAnswer.parse(await answer.json())
  }
  const { access_token: token, user } = await login()
  const users = (path = '') => server.account('GET', `/account/users${path}`, { token })
  expect((await users()).status).toBe(403)
  await server.account('PATCH', `/account/users/${user.id}`, { body: { role: 'owner' } })
  expect((await users()).status).toBe(200)
  await server.account('DELETE', `/account/users/${user.id}`)
  expect((await users()).status).toBe(401)
})
