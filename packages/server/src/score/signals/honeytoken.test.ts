import { bandOf, type ReadingValues } from '@inkling/contract'
import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import { score } from '../score.ts'
import { honeytoken } from './honeytoken.ts'

type Counts = NonNullable<ReadingValues['honeytokens']>

const UNUSED: Counts = { placed: 1, filled: 0, typed: 0, followed: 0, unattended: 0 }
const seen = (counts: Partial<Counts>) =>
  identified({ readings: { ...ordinaryReadings(), honeytokens: value({ ...UNUSED, ...counts }) } })
const reading = (honeytokens: typeof missing | { ok: true; value: null }) =>
  identified({ readings: { ...ordinaryReadings(), honeytokens } })

describeSignal(honeytoken, {
  hit: [
    ['characters were pressed in the field', seen({ filled: 1, typed: 1 })],
    ['the link was followed', seen({ followed: 1 })],
    ['a filled form was sent that nobody had touched', seen({ filled: 1, unattended: 1 })],
  ],
  clear: [['nobody used them', seen({})]],
  unknown: [
    ['the page has none', reading({ ok: true, value: null })],
    ['an agent of an earlier release', reading(missing)],
    ['the field was filled in, as a password manager may do', seen({ filled: 1 })],
  ],
})

test('alone leaves a visit trusted, and filled in alone adds nothing', () => {
  const scoreOf = (counts: Partial<Counts>) => score(seen(counts)).verdict.score
  expect(scoreOf({ filled: 1, typed: 1, followed: 1, unattended: 1 })).toBe(honeytoken.weight)
  expect(bandOf(honeytoken.weight)).toBe('trusted')
  expect(scoreOf({ filled: 1 })).toBe(0)
})
