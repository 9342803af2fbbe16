import type { ReadingName } from '@inkling/contract'
import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import {
  identified,
  missing,
  onWire,
  ordinaryReadings,
  proof,
  readings,
  value,
} from '../../../test/identified.ts'
import { roundTrips } from '../../../test/network.ts'
import { withLateReadings } from '../../ingest/ingest-body.ts'
import type { Readings } from '../../visit/received.ts'
import { incompleteEvidence } from './incomplete-evidence.ts'

const complete = ordinaryReadings()

const without = (...names: ReadingName[]): Readings =>
  Object.fromEntries(
    Object.entries(complete).map(([name, fact]) => [
      name,
      names.includes(name as ReadingName) ? missing : fact,
    ]),
  ) as Readings

const failing = (why: 'unsupported' | 'failed' | 'timeout', ...names: ReadingName[]): Readings => ({
  ...complete,
  ...Object.fromEntries(names.map((name) => [name, { ok: false, why }])),
})

const ALL = (Object.keys(complete) as ReadingName[]).filter((name) => complete[name] !== missing)
const TELLING_TIMED_OUT = failing('timeout', 'automation', 'tampering', 'engine')

const NO_TICKET = { ticket: { state: 'missing' }, body: 'unbound', key: { state: 'none' } } as const
/** As on a domain whose other visits open the follow-up channel. */
const NO_CHANNEL = {
  ...identified().network,
  roundTrip: { available: false, reason: 'never_opened' },
} as const

/** The first ones that the agent reads, without one that takes longer. */
const LEFT_EARLY = readings({
  user_agent: complete.user_agent,
  input: complete.input,
  automation: complete.automation,
  platform: complete.platform,
  vendor: complete.vendor,
})

const userAgentOnly = readings({ user_agent: complete.user_agent })

describeSignal(incompleteEvidence, {
  hit: [
    ['an empty body', identified({ readings: readings() })],
    ['an empty body, before tickets', identified({ readings: readings(), proof: undefined })],
    ['a body with a user agent alone', identified({ readings: userAgentOnly })],
    ['three readings are not named', identified({ readings: without('engine', 'tampering', 'rounding') })],
    [
      'every reading fails, as no browser does',
      identified({ readings: failing('unsupported', 'engine', 'window', 'screen', 'rounding') }),
    ],
    ['a body of timeouts alone', identified({ readings: failing('timeout', ...ALL) })],
    [
      'one whose user agent timed out, though it is read first, and came later',
      withLateReadings(
        identified({ readings: failing('timeout', ...ALL) }),
        JSON.stringify(onWire(ordinaryReadings())),
      ),
    ],
    ['the telling readings timed out, those after them did not', identified({ readings: TELLING_TIMED_OUT })],
    [
      'the same with an empty late report',
      withLateReadings(identified({ readings: TELLING_TIMED_OUT }), '{}'),
    ],
    [
      'no ticket and no channel, where everybody has both',
      identified({ proof: proof(NO_TICKET), network: NO_CHANNEL }),
    ],
    [
      'readings left out in the middle, by an agent before tickets',
      identified({
        readings: without('screen', 'window', 'frame'),
        proof: proof({ ...NO_TICKET, expected: false }),
      }),
    ],
    [
      'a ticket that this server did not make',
      identified({ proof: proof({ ticket: { state: 'forged', why: 'wrong_mac' } }) }),
    ],
    [
      'no ticket and no digest, where everybody has both',
      identified({ proof: proof({ ...NO_TICKET, key: { state: 'unsupported' } }), network: NO_CHANNEL }),
    ],
    [
      'one that says it was left early and is bound to nothing, as no agent sends it',
      identified({ readings: userAgentOnly, proof: proof({ ...NO_TICKET, interrupted: true }) }),
    ],
    ['a body that was changed after it was sealed', identified({ proof: proof({ body: 'altered' }) })],
  ],
  clear: [
    ['an ordinary visit', identified()],
    [
      'no ticket, while it is not known whether pages open a channel',
      identified({ proof: proof(NO_TICKET) }),
    ],
    [
      'a page that was left early by an agent before tickets',
      identified({ readings: LEFT_EARLY, proof: proof({ ...NO_TICKET, expected: false }) }),
    ],
    [
      'the first visits of an installation',
      identified({ proof: proof({ ...NO_TICKET, expected: undefined }) }),
    ],
    ['a proxy that lets no tickets through', identified({ proof: proof({ ...NO_TICKET, expected: false }) })],
    [
      'storage blocked: no cookie, no key',
      identified({
        readings: failing('failed', 'storage', 'permissions'),
        proof: proof({ key: { state: 'unsupported' } }),
      }),
    ],
    [
      'a slow network, on which the ticket came too late',
      identified({
        proof: proof(NO_TICKET),
        network: { ...identified().network, roundTrip: roundTrips(900, 850) },
      }),
    ],
    [
      'an honest agent whose requests failed, but for the body',
      identified({
        proof: proof({ ticket: { state: 'missing' } }),
        network: { ...identified().network, roundTrip: { available: false, reason: 'never_opened' } },
      }),
    ],
    [
      'the same in a browser that can keep no key',
      identified({ proof: proof({ ticket: { state: 'missing' }, key: { state: 'unsupported' } }) }),
    ],
    [
      'a page open for a day',
      identified({ proof: proof({ ticket: { state: 'expired', ageMs: 86_400_000 } }) }),
    ],
    [
      'a slow machine whose sources time out',
      identified({
        readings: failing(
          'timeout',
          'waveform',
          'webgl',
          'raster',
          'tampering',
          'engine',
          'rounding',
          'codecs',
        ),
      }),
    ],
    [
      'the slowest machine, which had time for the user agent alone',
      identified({ readings: failing('timeout', ...ALL.filter((name) => name !== 'user_agent')) }),
    ],
    [
      'a slow machine, the last of whose readings came later, but for one without room',
      withLateReadings(
        identified({ readings: failing('timeout', 'tampering', 'engine', 'rounding', 'codecs') }),
        JSON.stringify(onWire(readings({ tampering: value([]), rounding: value('e5e5e5e5e5e5e5e5') }))),
      ),
    ],
    [
      'Firefox that resists fingerprinting',
      identified({
        readings: failing(
          'unsupported',
          'connection',
          'client_hints',
          'webgl',
          'waveform',
          'typefaces',
          'raster',
        ),
      }),
    ],
    ['an extension that breaks a reading', identified({ readings: failing('failed', 'screen') })],
    ['an agent that does not know a newer reading', identified({ readings: without('codecs') })],
    [
      'a page that was left early',
      identified({
        readings: userAgentOnly,
        proof: proof({ ...NO_TICKET, body: 'bound', expected: undefined, interrupted: true }),
      }),
    ],
    [
      'a page that was left before its ticket came',
      identified({
        readings: userAgentOnly,
        proof: proof({ ...NO_TICKET, body: 'bound', interrupted: true }),
      }),
    ],
    [
      'a ticket from before a key that was lost',
      identified({ proof: proof({ ticket: { state: 'forged', why: 'unknown_key' } }) }),
    ],
    ['another host of the site', identified({ proof: proof({ ticket: { state: 'foreign', why: 'page' } }) })],
  ],
  unknown: [
    [
      'a page that was left early, in a snapshot of an earlier release',
      identified({ readings: LEFT_EARLY, proof: undefined }),
    ],
    ['a snapshot of an earlier release', identified({ proof: undefined })],
    ['without JavaScript', identified({ via: 'noscript', readings: readings() })],
    ['a request without a page', identified({ via: 'edge', readings: readings() })],
  ],
})

test('the description names the reason', () => {
  const answer = incompleteEvidence.test(
    identified({ readings: readings({ user_agent: value('Mozilla/5.0') }) }),
  )
  expect(answer).toMatchObject({ description: 'Incomplete evidence (readings_missing)' })
})
