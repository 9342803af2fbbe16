import { expect, test } from 'vitest'
import { identified } from '../../../test/identified.ts'
import { COMPONENTS } from '../../identify/components.ts'
import { score } from '../../score/score.ts'
import { SIGNALS } from '../../score/signals/index.ts'
import type { IdentityDecision } from '../../visit/identification.ts'
import { identificationRow, readVerdict } from './identification-row.ts'
import { longNames, shortNames } from './short-names.ts'

const DECISION: IdentityDecision = {
  outcome: 'linked',
  confidence: 0.9,
  agreed: ['machine', 'gpu'],
  changed: [],
  absent: ['of_a_later_release', 'zoom'],
  clones: 1,
  devices: 2,
  candidates: 3,
  hardwareFlips: ['gpu'],
  merged: undefined,
}
const IDENTITY = { ...identified().identity, decision: DECISION }

test('what a verdict says comes back as it was', () => {
  const scored = score(identified({ identity: IDENTITY }))
  const { entries, clear, unknown, coverage } = scored.verdict
  expect(readVerdict(identificationRow(scored).verdict)).toMatchObject({
    ...{ entries, clear, unknown, coverage },
    components: IDENTITY.components,
    decision: JSON.parse(JSON.stringify(DECISION)),
  })
  expect(coverage?.sources.length).toBeGreaterThan(0)
})

test('verdicts of earlier releases stay readable', () => {
  const earlier = {
    entries: [],
    clear: ['tor'],
    unknown: ['vpn', 'signal_that_was_removed'],
    components: ['raster'],
    decision: { ...DECISION, merged: null },
    coverage: { evidence: 0.5, sources: [{ name: 'ticket', weight: 20, known: 1 }] },
  }
  expect(readVerdict(JSON.stringify(earlier))).toEqual(earlier)
})

test('a code never changes, because rows hold it', () => {
  expect(longNames('000n0o1814')).toEqual([
    'javascript_disabled',
    'check_incomplete',
    'machine',
    'preferences',
    'provider',
  ])
})

test('a node that is not updated yet reads what an updated one stored, without the names it does not know', () => {
  const later = {
    entries: [],
    clear: '00zz0n',
    unknown: 'zz',
    components: '0o',
    coverage: {
      evidence: 0.5,
      names: '00zz0n',
      sources: [
        [20, 1],
        [5, 0],
        [10, 0.5],
      ],
    },
  }
  expect(readVerdict(JSON.stringify(later))).toEqual({
    entries: [],
    clear: ['javascript_disabled', 'check_incomplete'],
    unknown: [],
    components: ['machine'],
    decision: undefined,
    coverage: {
      evidence: 0.5,
      sources: [
        { name: 'javascript_disabled', weight: 20, known: 1 },
        { name: 'check_incomplete', weight: 10, known: 0.5 },
      ],
    },
  })
})

test('all names of this release have a code', () => {
  const { coverage } = score(identified()).verdict
  const sources = coverage?.sources.map(({ name }) => name) ?? []
  for (const name of [...SIGNALS.map((signal) => signal.name), ...Object.keys(COMPONENTS), ...sources])
    expect(shortNames([name]), `${name} has to be appended to the list`).toHaveLength(2)
})
