import { randomUUID } from 'node:crypto'
import { Explanation } from '@inkling/contract'
import { EntitySummary } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { openServerSecrets } from '../src/auth/server-secrets.ts'
import { readSubjectHashes } from '../src/store/velocity/subject-hashes.ts'
import { accountSurface } from './account/account-surface.ts'
import { ordinaryBody } from './contract/bodies.ts'
import { operationOf, storeVisits } from './made-visits.ts'
import { postSnapshot, runningServer, type TestServer } from './running-server.ts'

const COOKIE = randomUUID()

async function visit(server: TestServer, userHid: string, requestId: string = randomUUID()): Promise<string> {
  const body = ordinaryBody({ cookie_id: COOKIE, user_hid: userHid })
  expect((await postSnapshot(server, requestId, body)).ok).toBe(true)
  return requestId
}

async function velocityIn({ url, keys }: TestServer, requestId: string) {
  const headers = { authorization: `Bearer ${keys.api_key}` }
  const answer = await fetch(`${url}/api/v1/explanation/${requestId}`, { headers })
  return Explanation.parse(await answer.json()).velocity
}

test('an explanation has the counts as they were right after the visit, and a repeated visit counts once', async () => {
  const server = await runningServer({ settings: { FOLLOW_UP_SECONDS: '0' } })
  const first = await visit(server, 'ada')
  await visit(server, 'ada', first)
  const second = await visit(server, 'grace')
  const third = await visit(server, 'anonymous')

  const [one, two] = [
    { m5: 1, h1: 1, h24: 1, d7: 1 },
    { m5: 2, h1: 2, h24: 2, d7: 2 },
  ]
  expect(await velocityIn(server, first)).toMatchObject({
    cookie: { visits: one, accounts: one, cookies: one },
    account: { visits: one, devices: one },
  })
  expect(await velocityIn(server, second)).toMatchObject({
    cookie: { visits: two, accounts: two, devices: one },
    account: { visits: one, cookies: one },
    address: { visits: two, accounts: two, addresses: one },
  })
  const last = await velocityIn(server, third)
  expect(last).toMatchObject({ cookie: { visits: { m5: 3, d7: 3 }, accounts: two } })
  expect(last).not.toHaveProperty('account')
})

test('nothing is counted where that is turned off', async () => {
  const server = await runningServer({ settings: { FOLLOW_UP_SECONDS: '0', COUNT_VELOCITY: 'false' } })
  expect(await velocityIn(server, await visit(server, 'ada'))).toBeUndefined()
})

test('the page of an entity has its counts now, not those of its last visit', async () => {
  const surface = await accountSurface()
  const { store, clock, domainId } = surface
  await openServerSecrets(store.secrets)
  const hashes = await readSubjectHashes(store.secrets)
  const visit = { atMs: clock.nowMs, account: 3, address: 5, country: 1 }
  const twoHoursAgo = { ...visit, atMs: clock.nowMs - 2 * 3_600_000, account: 4, address: 6 }
  const lastWeek = { ...visit, atMs: clock.nowMs - 8 * 86_400_000, account: 5, address: 7 }
  await storeVisits(
    [store],
    [visit, visit, twoHoursAgo, lastWeek].map((given, index) =>
      operationOf(domainId, hashes, { ...given, number: index, device: index + 1, cookie: index + 1 }),
    ),
  )
  const velocityOf = async (type: string, value: string) => {
    const answer = await surface.ask({ url: '/account/domains/shop.example/entity', query: { type, value } })
    return EntitySummary.parse(answer.json()).velocity
  }
  expect(await velocityOf('user_hid', 'account-3')).toMatchObject({ devices: { m5: 2, d7: 2 } })
  expect(await velocityOf('ip', '91.0.0.6')).toMatchObject({
    visits: { m5: 0, h1: 0, h24: 1, d7: 1 },
    addresses: { h1: 0, h24: 1 },
  })
  expect(await velocityOf('user_hid', 'account-5')).toBeNull()
})
