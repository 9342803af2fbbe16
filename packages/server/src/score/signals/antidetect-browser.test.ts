import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import type { Readings } from '../../visit/received.ts'
import { antidetectBrowser } from './antidetect-browser.ts'

const visit = (given: Partial<Readings>) => identified({ readings: { ...ordinaryReadings(), ...given } })
const worker = (platform: string, cores: number, languages = ['de-DE', 'en']) =>
  value({
    user_agent: identified().request.userAgent,
    platform,
    languages,
    cores,
    memory_gb: null,
    timezone: 'Europe/Berlin',
    webgl_renderer: null,
  })
const spoofed = visit({ worker: worker('Linux x86_64', 8, ['en-US']) })

describeSignal(antidetectBrowser, {
  hit: [
    ['a worker on another system with other languages', spoofed],
    [
      'another system in the page, and a replaced list of languages',
      visit({ platform: value('Linux x86_64'), tampering: value(['Navigator.languages:proxy']) }),
    ],
  ],
  clear: [
    ['a worker that agrees', visit({ worker: worker('Win32', 8) })],
    ['original built-ins', visit({ tampering: value([]) })],
    ['one contradiction alone', visit({ worker: worker('Linux x86_64', 8) })],
    ['a user-agent switcher and blurred hardware', visit({ worker: worker('Linux x86_64', 2) })],
  ],
  unknown: [['neither a worker nor natives were looked at', visit({ tampering: missing })]],
})

test('the description names the strongest reason, the evidence both values', () => {
  expect(antidetectBrowser.test(spoofed)).toMatchObject({
    description: 'Antidetect browser (worker_mismatch)',
    evidence: {
      worker_mismatch: [
        { fact: 'platform', page: 'Win32', worker: 'Linux x86_64' },
        { fact: 'languages', page: ['de-DE', 'en'], worker: ['en-US'] },
      ],
      points: 40,
    },
  })
})
