import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addUser } from '../src/auth/users.ts'
import { ordinaryBody } from './contract/bodies.ts'
import { startTestServer, type TestServer } from './running-server.ts'
import { webhookReceiver } from './webhook-receiver.ts'

const ADDRESS = '203.0.113.77'
const COOKIE = randomUUID()
const USER_HID = 'marker-user-hid'
const EMAIL = 'marker-owner@shop.example'
const PASSWORD = 'marker password of the owner'
/** Part of URLs of pages and endpoints. */
const QUERY = 'marker-query'
/** Part of wrong credentials. */
const FORGED = 'marker-forged'

interface Driven {
  log: string
  /** Keys, secrets, tokens and passwords that were used. */
  secrets: string[]
}

/** Uses every surface at the lowest log level, with valid and wrong credentials and a broken database. */
async function drive(privacy: string): Promise<Driven> {
  const lines: string[] = []
  const receiver = await webhookReceiver(() => 500)
  const server = await startTestServer({
    endpoints: [`${receiver.url}?token=${QUERY}`, `http://${FORGED}:pass@127.0.0.1:9/?token=${QUERY}`],
    settings: {
      LOG_LEVEL: 'trace',
      LOG_PRIVACY: privacy,
      TRUST_PROXY: '127.0.0.0/8',
      FOLLOW_UP_SECONDS: '0',
    },
    logTo: { write: (line) => void lines.push(line) },
  })
  try {
    await identify(server)
    await receiver.count(1)
    await readHistory(server)
    await manage(server)
    const tokens = await useAccount(server)
    await sql`alter table identifications rename to gone`.execute(server.store.writes)
    await identify(server)
    await readHistory(server)
    return {
      log: lines.join(''),
      secrets: [...Object.values(server.keys).slice(1), ...server.secrets, ...tokens],
    }
  } finally {
    await server.close()
  }
}

const FORWARDED = { 'x-forwarded-for': ADDRESS }

async function identify({ url, keys }: TestServer): Promise<void> {
  const landing = {
    url: `https://shop.example/cart?q=${QUERY}`,
    referrer: `https://other.example/?r=${QUERY}`,
  }
  const body = ordinaryBody({ cookie_id: COOKIE, user_hid: USER_HID, landing })
  const bodies = [
    body,
    `{"user_hid":"${USER_HID}"\n    at ${COOKIE}`,
    Buffer.concat([Buffer.from([1]), Buffer.from(body)]),
  ]
  for (const key of [keys.public_key, FORGED])
    for (const sent of bodies)
      await fetch(`${url}/snapshot/${randomUUID()}?publicKey=${key}&q=${QUERY}`, {
        method: 'POST',
        headers: { ...FORWARDED, origin: 'https://shop.example', cookie: `c=${COOKIE}` },
        body: sent,
      })
}

async function readHistory({ url, keys }: TestServer): Promise<void> {
  for (const key of [keys.api_key, FORGED])
    for (const path of [
      `user_hid/${USER_HID}`,
      `cookie_id/${COOKIE}`,
      `ip/${ADDRESS}?limit=${QUERY}`,
      `%00/${USER_HID}`,
    ])
      await fetch(`${url}/api/v1/history/${path}`, {
        headers: { ...FORWARDED, authorization: `Bearer ${key}` },
      })
  for (const key of [keys.secret_key, FORGED])
    await fetch(`${url}/pub/${keys.public_key}/${key}/history/user_hid/${USER_HID}`, { headers: FORWARDED })
}

async function manage({ url, keys }: TestServer): Promise<void> {
  for (const key of [keys.secret_key, FORGED]) {
    const headers = { ...FORWARDED, 'x-svc-domain': keys.domain, authorization: `Bearer ${key}` }
    await fetch(`${url}/v1/profile`, { headers })
    await fetch(`${url}/v1/history/user_hid/${USER_HID}`, { headers })
    await fetch(`${url}/${keys.domain}:${key}/callback`, {
      method: 'POST',
      headers: FORWARDED,
      body: `https://shop.example/?token=${QUERY}`,
    })
  }
}

/** Returns the tokens it got. */
async function useAccount({ url, store }: TestServer): Promise<string[]> {
  await addUser(
    store,
    { email: EMAIL, password: PASSWORD, role: 'owner' },
    { actor: 'test', nowMs: Date.now() },
  )
  const json = { ...FORWARDED, 'content-type': 'application/json', origin: url }
  const login = (password: string) =>
    fetch(`${url}/account/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: EMAIL, password }),
    })
  await login(FORGED)
  const answer = await login(PASSWORD)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const refresh = /=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
  for (const credential of [token, `${token}${FORGED}`])
    for (const path of [
      `domains/shop.example/identifications?user_hid=${USER_HID}`,
      `domains/shop.example/entity?type=cookie_id&value=${COOKIE}`,
      `domains/${FORGED}`,
      'me',
    ])
      await fetch(`${url}/account/${path}`, {
        headers: { ...json, authorization: `Bearer ${credential}` },
      })
  await fetch(`${url}/account/domains`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: `{"domain":"${FORGED}", ${USER_HID}`,
  })
  return [token, refresh, PASSWORD]
}

test.each(['normal', 'strict'])('%s: no key, secret, token or password is logged', async (privacy) => {
  const { log, secrets } = await drive(privacy)
  // The log has entries to search: a rejected request and a failure.
  expect(log).toMatch(/"msg":"refused"/)
  expect(log).toMatch(/"err":\{/)
  expect(secrets.every((secret) => secret.length >= 20)).toBe(true)
  for (const secret of [...secrets, FORGED, QUERY]) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/bearer|eyJ/i)
  if (privacy === 'normal') return
  for (const marker of [ADDRESS, COOKIE, USER_HID, EMAIL, '127.0.0.1']) expect(log).not.toContain(marker)
})
