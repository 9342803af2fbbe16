import { expect, test } from 'vitest'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, ordinaryReadings, readings, value } from '../../../test/identified.ts'
import { javascriptDisabled } from './javascript-disabled.ts'

const without = (engine: string, missing: string[], noGpu = false) =>
  identified({
    client: { ...identified().client, engine },
    readings: {
      ...ordinaryReadings(),
      missing_apis: value(missing),
      ...(noGpu && { webgl: { ok: false, why: 'unsupported' } }),
    },
  })

describeSignal(javascriptDisabled, {
  hit: [
    ['the noscript image was loaded', identified({ via: 'noscript', readings: readings() })],
    ['Chromium without WebRTC and WebGL', without('Blink', ['WebRTC', 'WebGL'])],
    ['Chromium whose WebGL returns no context', without('Blink', ['WebRTC'], true)],
    ['Firefox without several interfaces', without('Gecko', ['WebRTC', 'WebGL', 'Worker'])],
    ['Safari without interfaces that it has in every mode', without('WebKit', ['Worker', 'Canvas'])],
  ],
  clear: [
    ['the agent ran', identified()],
    ['nothing is missing', without('Blink', [])],
    ['a machine without a graphics card', without('Blink', [], true)],
    ['a company without WebRTC', without('Blink', ['WebRTC'])],
    ['hardened Chromium on a virtual desktop', without('Blink', ['WebAssembly'], true)],
    ['Tor Browser on its safer level', without('Gecko', ['WebRTC', 'WebAssembly'], true)],
    [
      'an iPhone in Lockdown Mode',
      without('WebKit', ['WebRTC', 'WebGL', 'WebAssembly', 'Web Audio', 'IndexedDB']),
    ],
    ['an engine that is not known', without('Ladybird', ['WebRTC', 'WebGL', 'Web Audio'])],
  ],
  unknown: [['a body without a single reading', identified({ readings: readings() })]],
})

test('the description names what is missing', () => {
  expect(javascriptDisabled.test(without('Blink', ['WebRTC'], true))).toMatchObject({
    description: 'JavaScript disabled (WebRTC, WebGL)',
  })
})
