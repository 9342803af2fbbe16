import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { ACCESS_TOKEN_SECONDS, createAccessTokens } from './access-token.ts'

const SECRET = Buffer.alloc(32, 7)
const START = Date.UTC(2026, 10, 21)
const SUBJECT = { userId: 3, sessionId: 8 }

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a token names the session it was issued for, for ten minutes', async () => {
  let nowMs = START
  const tokens = createAccessTokens(SECRET, () => nowMs)
  const token = await tokens.issue(SUBJECT)
  expect(await tokens.read(token)).toEqual(SUBJECT)
  nowMs = START + (ACCESS_TOKEN_SECONDS - 1) * 1_000
  expect(await tokens.read(token)).toEqual(SUBJECT)
  nowMs = START + ACCESS_TOKEN_SECONDS * 1_000
  expect(await tokens.read(token)).toBeUndefined()
})

test('a token of another installation, an altered one and an unsigned one are invalid', async () => {
  const tokens = createAccessTokens(SECRET, () => START)
  const token = await tokens.issue(SUBJECT)
  const foreign = await createAccessTokens(Buffer.alloc(32, 8), () => START).issue(SUBJECT)
  const [header = '', , signature = ''] = token.split('.')
  const claims = {
    sub: '1',
    sid: 1,
    iss: 'inkling',
    aud: 'inkling-account',
    exp: Math.floor(START / 1_000) + 60,
  }
  const unsigned = `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`
  const altered = `${header}.${part(claims)}.${signature}`
  for (const wrong of ['', 'a.b.c', foreign, altered, unsigned])
    expect(await tokens.read(wrong)).toBeUndefined()
})

test('tokens are signed with a derived key, not with the secret itself', async () => {
  const head = part({ alg: 'HS256', typ: 'at+jwt' })
  const body = part({
    sub: '1',
    sid: 1,
    iss: 'inkling',
    aud: 'inkling-account',
    exp: Math.floor(START / 1_000) + 60,
  })
  const signature = createHmac('sha256', SECRET).update(`${head}.${body}`).digest('base64url')
  expect(await createAccessTokens(SECRET, () => START).read(`${head}.${body}.${signature}`)).toBeUndefined()
})
