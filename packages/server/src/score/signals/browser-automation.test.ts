import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import type { Readings } from '../../visit/received.ts'
import { browserAutomation } from './browser-automation.ts'

const visit = (given: Partial<Readings>) => identified({ readings: { ...ordinaryReadings(), ...given } })
const withAutomation = (webdriver: boolean, markers: string[]) =>
  visit({ automation: value({ webdriver, markers }) })
const withoutReading = (userAgent = identified().request.userAgent) =>
  identified({
    readings: { ...ordinaryReadings(), automation: missing },
    request: { ...identified().request, userAgent },
  })
const frame = (webdriver: boolean) => {
  const facts = { user_agent: identified().request.userAgent, platform: 'Win32', timezone: 'Europe/Berlin' }
  return value({
    ...facts,
    languages: ['de-DE', 'en'],
    cores: 8,
    memory_gb: 8,
    webgl_renderer: null,
    webdriver,
  })
}
const attached = value({ attached: true })

describeSignal(browserAutomation, {
  hit: [
    ['navigator.webdriver is set', withAutomation(true, [])],
    ['it is set in a frame, though not in the page', visit({ iframe: frame(true) })],
    ['a driver left a name in the page', withAutomation(false, ['__playwright'])],
    [
      'the request header says headless, though the page says otherwise',
      withoutReading('Mozilla/5.0 HeadlessChrome/156.0'),
    ],
    [
      'a program that reads the console in a browser that pretends to be another',
      visit({
        inspector: value({ attached: true, handler_share: 0 }),
        platform: value('Linux x86_64'),
        tampering: value(['Navigator.languages:proxy']),
      }),
    ],
  ],
  clear: [
    ['an ordinary browser', identified()],
    ['open DevTools', visit({ inspector: attached })],
    [
      'open DevTools in a browser that pretends to be another',
      visit({
        inspector: attached,
        platform: value('Linux x86_64'),
        tampering: value(['Navigator.languages:proxy']),
      }),
    ],
    ['a debugger', visit({ inspector: value({ attached: true, handler_share: 0.7 }) })],
    [
      'a recorder of bugs that reads the console',
      visit({ inspector: value({ attached: true, handler_share: 0 }) }),
    ],
    [
      'a browser that pretends to be another, which a person may do',
      visit({
        platform: value('Linux x86_64'),
        tampering: value(['Navigator.languages:proxy']),
      }),
    ],
  ],
  unknown: [['the reading is missing', withoutReading()]],
})

test('the evidence has the observed facts', () => {
  expect(browserAutomation.test(withAutomation(true, ['cdc_adoQpoasnfa76pfcZLmcfl_Array']))).toMatchObject({
    description: 'Browser Automation',
    evidence: { webdriver: true, markers: ['cdc_adoQpoasnfa76pfcZLmcfl_Array'], points: 60 },
  })
})
