import { randomUUID } from 'node:crypto'
import { IdentificationSearch } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { planOf, recorder } from '../../test/account/query-plans.ts'
import { storeVisit } from '../../test/account/stored-visits.ts'
import { identificationOperations } from './identifications.ts'

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
  ['an account outside of two countries', { user_hid: 'ada', not_country: ['Germany', 'France'] }],
  ['a device with several flags', { device_id: randomUUID(), flag: ['tor', 'vpn'] }],
  ['a time and several browsers', { from: '2026-11-20T00:00:00Z', browser: ['Firefox', 'Chrome'] }],
])(
  '%s: a page and the count read rows in the order of an index, a bounded number of them',
  async (_, given) => {
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
    const ofRows = plans.filter(({ text }) => / from "identifications"/.test(text))
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
