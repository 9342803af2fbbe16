import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import type { Readings } from '../../visit/received.ts'
import { antidetectBrowser } from './antidetect-browser.ts'

const visit = (given: Partial<Readings>) => identified({ readings: { ...ordinaryReadings(), ...given } })
const worker = (platform: string, cores: number) =>
  value({
    user_agent: identified().request.userAgent,
    platform,
    languages: ['de-DE', 'en'],
    cores,
    memory_gb: null,
    timezone: 'Europe/Berlin',
    webgl_renderer: null,
  })
const spoofed = visit({ worker: worker('Linux x86_64', 2) })

describeSignal(antidetectBrowser, {
  hit: [
    ['a worker on another system with other cores', spoofed],
    [
      'another system in the page, and natives that hide it',
      visit({ platform: value('Linux x86_64'), tampering: value(['Function.toString:proxy']) }),
    ],
  ],
  clear: [
    ['a worker that agrees', visit({ worker: worker('Win32', 8) })],
    ['original built-ins', visit({ tampering: value([]) })],
    ['one contradiction alone', visit({ worker: worker('Linux x86_64', 8) })],
  ],
  unknown: [['neither a worker nor natives were looked at', identified()]],
})

test('the description names the strongest reason, the evidence both values', () => {
  expect(antidetectBrowser.test(spoofed)).toMatchObject({
    description: 'Antidetect browser (worker_mismatch)',
    evidence: {
      worker_mismatch: [
        { fact: 'platform', page: 'Win32', worker: 'Linux x86_64' },
        { fact: 'cores', page: 8, worker: 2 },
      ],
      points: 35,
    },
  })
})
