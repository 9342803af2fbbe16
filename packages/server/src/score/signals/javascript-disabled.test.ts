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
    ['Chromium without canvas and sound', without('Blink', ['WebRTC', 'Canvas', 'Web Audio'])],
    ['Firefox without workers and canvas', without('Gecko', ['Worker', 'Canvas'])],
    ['Safari without interfaces that it has in every mode', without('WebKit', ['Worker', 'Canvas'])],
  ],
  clear: [
    ['the agent ran', identified()],
    ['nothing is missing', without('Blink', [])],
    ['a machine without a graphics card', without('Blink', [], true)],
    [
      'Chromium on a machine without a graphics card, and without WebRTC and WebSocket by policy',
      without('Blink', ['WebRTC', 'WebSocket', 'WebGL'], true),
    ],
    ['an extension that removes workers', without('Blink', ['Worker'])],
    ['Firefox with sound, graphics and calls turned off', without('Gecko', ['WebRTC', 'WebGL', 'Web Audio'])],
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
  expect(javascriptDisabled.test(without('Blink', ['Canvas', 'Worker']))).toMatchObject({
    description: 'JavaScript disabled (Canvas, Worker)',
  })
})
