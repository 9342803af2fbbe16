import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../src/auth/users.ts'
import { type RawAnswer, rawRequest } from '../contract/raw-request.ts'
import { ANALYST, OWNER, PASSWORD } from '../dashboard/dashboard-server.ts'
import { type GuardedServer, startGuardedServer } from './guarded-server.ts'

/** Guessing passwords, and guessing who has an account. */

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer()
})
afterAll(() => server?.close())

let visitors = 0
/** An address without attempts so far. */
const somebody = (): string => {
  visitors += 1
  return `91.7.${visitors >> 8}.${visitors & 255}`
}

const logIn = (email: string, password: string, address = somebody()): Promise<RawAnswer> =>
  rawRequest(server, {
    method: 'POST',
    path: '/account/login',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  })

/** The whole response without its times. */
const seen = ({ status, headers, text }: RawAnswer) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'retry-after'),
  saysWhen: headers['retry-after'] !== undefined,
})

test('a wrong password and an unknown e-mail address get identical responses', async () => {
  const wrong = await logIn(ANALYST, 'wrong horse battery')
  expect(wrong.status).toBe(401)
  for (const email of ['nobody@shop.example', `${ANALYST}.`, '__proto__@constructor'])
    expect(seen(await logIn(email, 'wrong horse battery'))).toEqual(seen(wrong))
})

test('known and unknown accounts are locked after the same number of attempts, with the same response', async () => {
  const answers = async (email: string) => {
    const seenAnswers = []
    for (let count = 0; count < 32; count += 1) seenAnswers.push(seen(await logIn(email, 'guess guess')))
    return seenAnswers
  }
  const known = await answers('known@shop.example')
  const added = { email: 'added@shop.example', password: PASSWORD, role: 'analyst' } as const
  await addUser(server.store, added, { actor: 'test', nowMs: Date.now() })
  expect(await answers('added@shop.example')).toEqual(known)
  expect(known.map(({ status }) => status)).toEqual([...Array(30).fill(401), 429, 429])
})

test('another spelling of the address is the same account', async () => {
  const email = 'spelled@shop.example'
  for (let count = 0; count < 30; count += 1)
    await logIn(count % 2 === 0 ? email : email.toUpperCase(), 'guess guess')
  expect((await logIn('Spelled@Shop.Example', 'guess guess')).status).toBe(429)
})

test('a network has ten attempts a minute, from however many of its addresses', async () => {
  const network = '2003:db:17'
  for (let count = 0; count < 10; count += 1)
    expect((await logIn(`user${count}@b`, 'x', `${network}:4::${count + 1}`)).status).toBe(401)
  expect((await logIn('another@b', 'x', `${network}:4:ffff::1`)).status).toBe(429)
  expect((await logIn('another@b', 'x', `${network}:5::1`)).status).toBe(401)
})

test('an address in the client’s own header does not count', async () => {
  // The proxy appends the right-most address.
  for (let count = 0; count < 10; count += 1)
    await logIn(`stranger${count}@b`, 'x', `203.0.113.${count}, 91.9.9.9`)
  expect((await logIn('stranger@b', 'x', '203.0.113.99, 91.9.9.9')).status).toBe(429)
})

test('each spelling of a password is a different password, and none is parsed', async () => {
  for (const password of ['', ' ', `${PASSWORD} `, PASSWORD.toUpperCase(), `${PASSWORD}\0`, "' OR 1=1--"])
    expect([400, 401]).toContain((await logIn(OWNER, password)).status)
  for (const body of [
    { email: OWNER },
    { email: [OWNER], password: PASSWORD },
    { email: { $gt: '' }, password: { $gt: '' } },
    { email: OWNER, password: PASSWORD, role: 'owner' },
    { email: OWNER, password: 'x'.repeat(100_000) },
  ])
    expect((await server.account('POST', '/account/login', { body })).status).toBe(400)
  expect((await logIn(OWNER, PASSWORD)).status).toBe(200)
})
