import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { storeVisit } from '../../test/account/stored-visits.ts'

const DOMAIN = '/account/domains/shop.example'
const HOME = '2003:db:17:4::7'

async function visitsFrom(...addresses: string[]) {
  const surface = await accountSurface()
  const requestIds = new Map<string, string>()
  for (const address of addresses) requestIds.set(address, (await storeVisit(surface, { address })).requestId)
  return {
    ...surface,
    /** The addresses whose visits a search finds, newest first. */
    async found(ip: string, query = {}): Promise<string[]> {
      const answer = await surface.ask({ url: `${DOMAIN}/identifications`, query: { ip, ...query } })
      const ids = (answer.json().data as { request_id: string }[]).map(({ request_id }) => request_id)
      return [...requestIds].filter(([, id]) => ids.includes(id)).map(([address]) => address)
    },
  }
}

test('visits are found by IPv6 address, in any notation, and by network of either family', async () => {
  const { found } = await visitsFrom(HOME, '2003:db:17:4::8', '2003:db:18::1', '91.0.0.1', '91.0.1.1')
  expect(await found('2003:00DB:17:4:0:0:0:7')).toEqual([HOME])
  expect(await found('2003:db:17:4::/64')).toEqual([HOME, '2003:db:17:4::8'])
  expect(await found('2003:db::/32')).toEqual([HOME, '2003:db:17:4::8', '2003:db:18::1'])
  expect(await found('91.0.0.0/24')).toEqual(['91.0.0.1'])
  expect(await found('91.0.0.0/23')).toEqual(['91.0.0.1', '91.0.1.1'])
  expect(await found('2003:db:17:4::/64', { sort: 'riskiest', score_max: '999' })).toHaveLength(2)
  expect(await found('192.0.2.0/24')).toEqual([])
})

test('an IPv6 address has a page, and can be erased without its neighbours', async () => {
  const { ask, found } = await visitsFrom(HOME, '2003:db:17:4::8')
  const page = await ask({ url: `${DOMAIN}/entity`, query: { type: 'ip', value: HOME } })
  expect(page.json()).toMatchObject({ identifications: 1, linked: { ip: [{ value: HOME }] } })
  const erased = await ask({
    method: 'POST',
    url: `${DOMAIN}/privacy/erase`,
    payload: { type: 'ip', value: '2003:DB:17:4:0::7' },
  })
  expect(erased.json()).toMatchObject({ rows: 1 })
  expect(await found('2003:db::/32')).toEqual(['2003:db:17:4::8'])
})
