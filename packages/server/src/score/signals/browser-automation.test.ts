import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import { browserAutomation } from './browser-automation.ts'

const withAutomation = (webdriver: boolean, markers: string[]) =>
  identified({ readings: { ...ordinaryReadings(), automation: value({ webdriver, markers }) } })
const withoutReading = (userAgent = identified().request.userAgent) =>
  identified({
    readings: { ...ordinaryReadings(), automation: missing },
    request: { userAgent, acceptLanguage: '' },
  })

describeSignal(browserAutomation, {
  hit: [
    ['navigator.webdriver is set', withAutomation(true, [])],
    ['a marker was left in the page', withAutomation(false, ['__playwright'])],
    [
      'the request header says headless, though the page was told otherwise',
      withoutReading('Mozilla/5.0 HeadlessChrome/156.0'),
    ],
  ],
  clear: [['an ordinary browser', identified()]],
  unknown: [['the reading is missing', withoutReading()]],
})

test('the evidence says what was seen', () => {
  expect(browserAutomation.test(withAutomation(true, ['cdc_x']))).toMatchObject({
    description: 'Browser Automation',
    evidence: { webdriver: true, markers: ['cdc_x'] },
  })
})
