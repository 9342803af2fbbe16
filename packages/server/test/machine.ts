import type { Readings } from '../src/visit/received.ts'
import { ordinaryReadings, value } from './identified.ts'

/** The readings of a machine; machines of another number differ in every part. */
export const machine = (number: number, changed: Partial<Readings> = {}): Readings => ({
  ...ordinaryReadings(),
  vendor: value({ vendor: 'Google Inc.', product_sub: '20030107' }),
  client_hints: value({
    brands: [],
    mobile: false,
    platform: 'Windows',
    model: `M${number}`,
    architecture: 'x86',
    bitness: '64',
  }),
  hardware: value({ cores: 2 + number, memory_gb: 8, max_touch_points: 0 }),
  webgl: value({
    vendor: 'WebKit',
    renderer: 'WebKit WebGL',
    unmasked_vendor: 'NVIDIA',
    unmasked_renderer: `ANGLE (NVIDIA, NVIDIA GeForce ${number})`,
    version: '',
    shading_language: '',
    parameters: 'p1',
    extensions: 'e1',
  }),
  raster: value({ glyphs: `t${number}`, shapes: `g${number}`, stable: true }),
  typefaces: value(['Arial', `Font ${number}`]),
  ...changed,
})
