import { expect, test } from 'vitest'
import { identified, ordinaryReadings, readings, value } from '../../test/identified.ts'
import { enrich } from './enrich.ts'

const deps = {
  lookUpIp: () => identified().ip,
  verifyCrawler: () => undefined,
  identifyAgent: () => undefined,
}

test("the browser is that of the page's user agent, or else of the request header", () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
  const read = enrich(identified({ readings: { ...ordinaryReadings(), user_agent: value(firefox) } }), deps)
  expect(read.client).toMatchObject({ browser: 'Firefox', os: 'Linux', deviceType: 'desktop' })
  expect(enrich(identified({ readings: readings() }), deps).client.browser).toBe('Chrome')
})

test('an iPad that claims to be a Mac is recognised by its touch screen', () => {
  const safari =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
  const tablet = readings({
    user_agent: value(safari),
    hardware: value({ cores: 8, memory_gb: null, max_touch_points: 5 }),
  })
  expect(enrich(identified({ readings: tablet }), deps).client.os).toBe('IOS (iPad)')
})

test('the traffic source is that of the landing page', () => {
  const landing = { url: 'https://shop.example/?utm_source=News&utm_medium=Email#top', referrer: '' }
  expect(enrich(identified({ landing }), deps).traffic).toMatchObject({
    utmSource: 'news',
    utmMedium: 'email',
    landingUrl: 'https://shop.example/?utm_source=News&utm_medium=Email',
  })
})
