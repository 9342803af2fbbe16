import type { ReadingValues } from '@inkling/contract'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, proof, readings, value } from '../../../test/identified.ts'
import { clientFacts } from '../../enrich/client-facts.ts'
import type { Identified } from '../../visit/identification.ts'
import type { Readings } from '../../visit/received.ts'
import { implausibleEvidence } from './implausible-evidence.ts'

type Given = { [Name in keyof ReadingValues]?: ReadingValues[Name] }

const reporting = (given: Given, rest: Partial<Identified> = {}) =>
  identified({
    readings: {
      ...ordinaryReadings(),
      ...Object.fromEntries(Object.entries(given).map(([name, reading]) => [name, value(reading)])),
    },
    ...rest,
  })

const MADE_UP_HASHES = { raster: { glyphs: 'canvas-1', shapes: 'canvas-2', stable: true } }
const MADE_UP_ZONE = { timezone: { name: 'Asia/Tokyo', offset_minutes: -480 } }
const ODD_MEMORY = { hardware: { cores: 8, memory_gb: 12, max_touch_points: 0 } }
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const TELEVISION =
  'Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) 108.0.5359.1/8.0 TV Safari/537.36'
const CHROME_IOS =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1'
const CHROME = identified().request.userAgent
const timingOut = () =>
  Object.fromEntries(
    Object.keys(ordinaryReadings()).map((name) => [name, { ok: false, why: 'timeout' }]),
  ) as Readings
const timedOut = { ...ordinaryReadings(), raster: { ok: false, why: 'timeout' } } as const

describeSignal(implausibleEvidence, {
  hit: [
    [
      'made-up hashes, and a zone with the offset of another',
      reporting({ ...MADE_UP_HASHES, ...MADE_UP_ZONE }),
    ],
    ['memory and hashes that no browser reports', reporting({ ...MADE_UP_HASHES, ...ODD_MEMORY })],
    [
      'fonts in another order than the agent writes, and timeouts before their time',
      identified({
        readings: { ...timedOut, typefaces: value(['Verdana', 'Arial']) },
        body: '{"duration_ms":3,"readings":{}}',
      }),
    ],
    [
      'a valid ticket without a digest, and made-up hashes',
      reporting(MADE_UP_HASHES, { proof: proof({ body: 'unbound', key: { state: 'none' } }) }),
    ],
    [
      'a ticket of another site, and a frame that is its own',
      reporting(
        { frame: { nested: false, cross_origin: true } },
        { proof: proof({ ticket: { state: 'foreign', why: 'domain' } }) },
      ),
    ],
  ],
  clear: [
    ['an ordinary visit', identified()],
    [
      'a clock that is wrong by half a year',
      reporting({ timezone: { name: 'Europe/Berlin', offset_minutes: 120 } }),
    ],
    [
      'a zone that the server does not know',
      reporting({ timezone: { name: 'Mars/Olympus', offset_minutes: 60 } }),
    ],
    [
      'an extension that pretends another zone, and one that switches languages',
      reporting({
        ...MADE_UP_ZONE,
        languages: { language: 'en-US', languages: ['de-DE'], locale: 'de-DE' },
      }),
    ],
    [
      'Firefox that resists fingerprinting: UTC, two cores, a rounded screen',
      reporting(
        {
          user_agent: FIREFOX,
          timezone: { name: 'Atlantic/Reykjavik', offset_minutes: 0 },
          vendor: { vendor: '', product_sub: '20100101' },
          hardware: { cores: 2, memory_gb: null, max_touch_points: 0 },
        },
        { client: clientFacts({ userAgent: FIREFOX }) },
      ),
    ],
    [
      'Chrome with the user agent of Firefox',
      reporting({ user_agent: FIREFOX }, { client: clientFacts({ userAgent: FIREFOX }) }),
    ],
    [
      'Brave, which makes up cores and memory',
      reporting({ hardware: { cores: 3, memory_gb: 0.5, max_touch_points: 0 } }),
    ],
    [
      'a slow machine whose drawing timed out',
      identified({ readings: timedOut, body: '{"duration_ms":1004}' }),
    ],
    [
      'Chrome under the name of Firefox in a background tab, whose list of devices came to no end',
      identified({
        readings: {
          ...ordinaryReadings(),
          user_agent: value(FIREFOX),
          media_devices: { ok: false, why: 'timeout' },
          private_mode: { ok: false, why: 'timeout' },
        },
        client: clientFacts({ userAgent: FIREFOX }),
        body: '{"duration_ms":96}',
      }),
    ],
    [
      'Chrome under the name of Firefox on a network so slow that the ticket came too late',
      reporting(
        { user_agent: FIREFOX },
        { client: clientFacts({ userAgent: FIREFOX }), proof: proof({ ticket: { state: 'missing' } }) },
      ),
    ],
    [
      'a television on Chromium that does not name Chrome, and a slow ticket',
      reporting(
        { user_agent: TELEVISION },
        { client: clientFacts({ userAgent: TELEVISION }), proof: proof({ ticket: { state: 'missing' } }) },
      ),
    ],
    [
      'Chrome on iOS with an engine of its own, and a slow ticket',
      reporting(
        { user_agent: CHROME_IOS, platform: 'iPhone' },
        { client: clientFacts({ userAgent: CHROME_IOS }), proof: proof({ ticket: { state: 'missing' } }) },
      ),
    ],
    [
      'a page left before its ticket came',
      identified({ proof: proof({ ticket: { state: 'missing' }, interrupted: true }) }),
    ],
    [
      'the same with an extension that changes what pages draw',
      reporting(MADE_UP_HASHES, { proof: proof({ ticket: { state: 'missing' }, interrupted: true }) }),
    ],
    [
      'a machine so slow that nearly everything timed out, its ticket as well',
      identified({
        readings: {
          ...timingOut(),
          user_agent: ordinaryReadings().user_agent,
        },
        body: '{"duration_ms":1004}',
        proof: proof({ ticket: { state: 'missing' } }),
      }),
    ],
    [
      'a page left early by an agent before tickets, where tickets are expected',
      identified({
        readings: readings({
          user_agent: value(CHROME),
          input: ordinaryReadings().input,
          automation: ordinaryReadings().automation,
        }),
        proof: proof({ ticket: { state: 'missing' }, body: 'unbound', key: { state: 'none' } }),
      }),
    ],
  ],
  unknown: [
    ['no reading', identified({ readings: readings() })],
    ['a request without a page', reporting({ ...MADE_UP_HASHES, ...MADE_UP_ZONE }, { via: 'edge' })],
  ],
})
