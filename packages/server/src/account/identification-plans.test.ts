import { randomUUID } from 'node:crypto'
import { IdentificationSearch } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { planOf, recorder, unbounded } from '../../test/account/query-plans.ts'
import { storeVisit } from '../../test/account/stored-visits.ts'
import { identificationOperations } from './identifications.ts'

/** How a page and the count read rows. */
async function plansOf(given: object): Promise<Awaited<ReturnType<typeof planOf>>[]> {
  const surface = await accountSurface()
  await storeVisit(surface, { userHid: 'ada' })
  const record = recorder()
  const store = { ...surface.store, reads: surface.store.reads.withPlugin(record) }
  const query = { ...IdentificationSearch.parse(given), limit: 50 }
  const call = { params: { domain: 'shop.example' }, query }
  for (const name of ['searchIdentifications', 'countIdentifications'] as const)
    await identificationOperations[name](call as never, { store } as never)
  const plans = []
  for (const node of record.seen) plans.push(await planOf(surface.store.writes, node))
  return plans.filter(({ text }) => / from "identifications"/.test(text))
}

const SORTS = { sqlite: /TEMP B-TREE/, postgres: /(?<!Incremental )Sort +\(cost|Seq Scan on identifications/ }

test.each([
  ['no filter', {}],
  ['several countries', { country: ['Germany', 'France'] }],
  ['none of several countries', { not_country: ['Germany', ''] }],
  ['bands that touch', { band: ['suspicious', 'dangerous'], sort: 'riskiest' }],
  ['a band by time', { band: ['dangerous'] }],
  ['bands with a gap', { not_band: ['suspicious'] }],
  ['none of several flags and signals', { not_flag: ['tor', 'vpn'], not_signal: ['tor'] }],
  ['agents of two kinds', { agent_category: ['shopping', 'seo'] }],
  ['several accounts', { user_hid: ['ada', 'ben'] }],
  ['several request IDs', { request_id: [randomUUID(), randomUUID()] }],
  [
    'several accounts with several sessions',
    { user_hid: ['ada', 'ben'], session_id: [randomUUID(), randomUUID(), randomUUID()] },
  ],
  [
    'several visitors behind a local address',
    { visitor_id: [randomUUID(), randomUUID()], local_ip: ['10.0.0.7'] },
  ],
  [
    'none of several cookies and devices',
    { not_cookie_id: [randomUUID(), randomUUID()], not_device_id: [randomUUID()] },
  ],
  ['several addresses', { ip: ['192.0.2.1', '2001:db8::1'] }],
  [
    'none of several addresses and local addresses',
    { not_ip: ['192.0.2.0/24', '198.51.100.7'], not_local_ip: ['10.0.0.7'] },
  ],
  ['an account outside of two countries', { user_hid: ['ada'], not_country: ['Germany', 'France'] }],
  ['a device with several flags', { device_id: [randomUUID()], flag: ['tor', 'vpn'] }],
  ['a time and several browsers', { from: '2026-11-20T00:00:00Z', browser: ['Firefox', 'Chrome'] }],
])(
  '%s: a page and the count read rows in the order of an index, a bounded number of them',
  async (_, given) => {
    const ofRows = await plansOf(given)
    expect(ofRows.length).toBeGreaterThanOrEqual(2)
    for (const { text, plan } of ofRows) {
      const shown = `${text}\n${plan.join('\n')}`
      expect(text, shown).toMatch(/ limit /)
      expect(shown).toMatch(/USING (COVERING )?INDEX|Index (Only )?Scan/)
      expect(plan.join('\n'), shown).not.toMatch(SORTS.sqlite)
      expect(plan.join('\n'), shown).not.toMatch(SORTS.postgres)
    }
  },
)

test.each([
  ...['request_id', 'device_id', 'visitor_id', 'session_id', 'cookie_id', 'user_hid'].map(
    (name) => [name, [randomUUID(), randomUUID()]] as const,
  ),
  ['ip', ['192.0.2.1', '2001:db8::1']] as const,
])('of several values of %s an index has the rows of each', async (name, values) => {
  const ofRows = await plansOf({ [name]: values })
  expect(ofRows).toHaveLength(4)
  for (const { text, plan } of ofRows) expect(unbounded(plan), `${text}\n${plan.join('\n')}`).toEqual([])
})
