import { type ListKind, SIGNAL_CATALOGUE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { identified } from '../../test/identified.ts'
import { score } from '../score/score.ts'
import { identificationRow } from '../store/identifications/identification-row.ts'
import { byteWriter } from '../store/velocity/bytes.ts'
import { beginColumn, writeCounts } from '../store/velocity/velocity-column.ts'
import type { ListMatch } from '../visit/list-match.ts'
import { listSubjects } from '../visit/list-subjects.ts'
import type { Received } from '../visit/received.ts'
import { VELOCITY_COUNTERS, VELOCITY_SUBJECTS, type VelocityCounts } from '../visit/velocity.ts'
import { type DecisionQuestion, factsOf } from './decision-facts.ts'

const entry = (list: ListMatch['list'], kind: ListKind): ListMatch => ({
  list,
  kind,
  value: kind,
  reason: '',
})

const KINDS: ListKind[] = ['account', 'address', 'cidr', 'asn', 'country', 'cookie']

function asked(given: Partial<DecisionQuestion> = {}, address = '192.0.2.7') {
  const lists = [
    ...KINDS.map((kind) => entry('allow', kind)),
    entry('deny', 'account'),
    entry('watch', 'asn'),
  ]
  const row = { ...identificationRow({ ...score(identified({ address })), lists }), id: 1 }
  return factsOf(row, { purpose: 'login', fields: {}, atMs: row.created_at, ...given })
}

test('where the question names an account, the account of the visit lets nobody pass', () => {
  expect(asked().lists.allow).toEqual(KINDS)
  const { lists } = asked({ account: 'another' })
  expect(lists).toEqual({
    allow: KINDS.filter((kind) => kind !== 'account'),
    deny: ['account'],
    watch: ['asn'],
  })
  expect(asked({ account: 'account', lists: [entry('allow', 'account')] }).lists.allow).toContain('account')
})

test('where the backend saw another address, that of the visit and what is known of it let nobody pass', () => {
  expect(asked({ clientAddress: '192.0.2.7' }).lists.allow).toEqual(KINDS)
  const elsewhere = { clientAddress: '192.0.2.8' }
  expect(asked(elsewhere).lists).toEqual({
    allow: ['account', 'cookie'],
    deny: ['account'],
    watch: ['asn'],
  })
  expect(asked({ ...elsewhere, lists: [entry('allow', 'cidr')] }).lists.allow).toContain('cidr')
  // Whoever has both families chooses between them.
  expect(asked({ clientAddress: '2001:db8::7' }).lists.allow).toEqual(['account', 'cookie'])
})

test.each([
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '::ffff:192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['2001:db8::7', '2001:DB8:0::7', true],
  ['2001:db8::7', '2001:db8::8', false],
  // Browsers use both in turns.
  ['192.0.2.7', '2001:db8::7', null],
  ['2001:db8::7', '192.0.2.7', null],
])(
  'a visit from %s that the backend saw from %s: address_matches is %s',
  (address, clientAddress, matches) => {
    expect(asked({ clientAddress }, address).address_matches).toBe(matches)
  },
)

test('an account is a claim unless it is signed', () => {
  const isClaimed = (given: Pick<Received, 'account'>) =>
    listSubjects({ ...identified(), ...given }).isAccountClaimed
  expect([isClaimed({}), isClaimed({ account: 'claimed' })]).toEqual([true, true])
  expect(isClaimed({ account: 'signed' })).toBe(false)
})

/** Three visits of the account in each window, and no other subject. */
function ofAccount(): Uint8Array {
  const windows = { m5: 3, h1: 3, h24: 3, d7: 3 }
  const counts = Object.fromEntries(VELOCITY_COUNTERS.map((name) => [name, windows])) as VelocityCounts
  const writer = byteWriter()
  beginColumn(writer, (index) => VELOCITY_SUBJECTS[index] === 'account')
  writeCounts(writer, 'account', counts)
  return writer.bytes()
}

test('counts of an account are those of the account of the visit, and unknown where another one is named', () => {
  const counted = { ...identified(), userHid: 'ada' }
  const row = { ...identificationRow(score(counted)), id: 1, velocity: ofAccount() }
  const of = (account?: string) =>
    factsOf(row, { purpose: 'login', fields: {}, atMs: row.created_at, account }).velocity.account
  expect(of()?.visits.h1).toBe(3)
  expect(of('ada')?.visits.h1).toBe(3)
  expect(of('grace')).toBeNull()
})

test('each signal is known by name, also where none was asked, as of a verified crawler', () => {
  const row = {
    ...identificationRow(score(identified({ crawler: { name: 'GoogleBot', by: 'reverse_dns' } }))),
    id: 1,
  }
  const { signals } = factsOf(row, { purpose: 'scraping', fields: {}, atMs: row.created_at })
  expect(Object.keys(signals).sort()).toEqual(Object.keys(SIGNAL_CATALOGUE).sort())
  expect(new Set(Object.values(signals))).toEqual(new Set([null]))
})
