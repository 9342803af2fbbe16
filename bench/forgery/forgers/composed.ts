import { randomUUID } from 'node:crypto'
import type { Attempt } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'
import { CHROME, claimingChrome } from '../src/chrome-headers.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { curl, whyNoCurl } from '../src/send/program-clients.ts'
import { deliver, type Send } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'composed bodies' } as const

const reported = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

/** What a guide to fingerprints names first. */
const FEW = {
  user_agent: CHROME,
  platform: 'Linux x86_64',
  languages: { language: 'en-US', languages: ['en-US', 'en'], locale: 'en-US' },
  timezone: { name: 'Europe/Berlin', offset_minutes: 60 },
  screen: {
    width: 1920,
    height: 1080,
    avail_width: 1920,
    avail_height: 1040,
    color_depth: 24,
    pixel_ratio: 1,
  },
}

/** And what the published schema says about the rest. */
const MORE = {
  automation: { webdriver: false, markers: [] },
  vendor: { vendor: 'Google Inc.', product_sub: '20030107' },
  hardware: { cores: 8, memory_gb: 8, max_touch_points: 0 },
  window: {
    inner_width: 1_905,
    inner_height: 940,
    outer_width: 1_920,
    outer_height: 1_040,
    screen_x: 0,
    screen_y: 0,
  },
  frame: { nested: false, cross_origin: false },
  storage: { cookies: true, local_storage: true, session_storage: true, indexed_db: true },
  webgl: {
    vendor: 'WebKit',
    renderer: 'WebKit WebGL',
    unmasked_vendor: 'Google Inc. (Intel)',
    unmasked_renderer: 'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)',
    version: 'WebGL 2.0 (OpenGL ES 3.0 Chromium)',
    shading_language: 'WebGL GLSL ES 3.00 (OpenGL ES GLSL ES 3.0 Chromium)',
    parameters: '0123456789abcdef',
    extensions: 'fedcba9876543210',
  },
  plugins: { names: ['PDF Viewer'], mime_types: 2, pdf_viewer: true },
  missing_apis: [],
  tampering: [],
}

const random = (): string => randomUUID().replaceAll('-', '').slice(0, 16)

const send = (attempt: Attempt, by: Send, readings: object): Promise<string> =>
  deliver(attempt, by, {
    requestId: randomUUID(),
    headers: claimingChrome(attempt),
    body: JSON.stringify({
      version: 1,
      agent_version: '0.1.0',
      session_id: randomUUID(),
      cookie_id: randomUUID(),
      landing: { url: `${attempt.site.origin}/`, referrer: '' },
      user_hid: 'anonymous',
      duration_ms: 400,
      readings,
    }),
  })

export const COMPOSED: readonly Case[] = [
  {
    ...shared,
    id: 'composed-few',
    title: 'Five readings from a guide to fingerprints',
    missing: whyNoCurl,
    run: (attempt) => send(attempt, curl, reported(FEW)),
  },
  {
    ...shared,
    id: 'composed-more',
    title: 'Sixteen readings after the published schema',
    run: (attempt) => send(attempt, nodeHttps, reported({ ...FEW, ...MORE })),
  },
  {
    ...shared,
    id: 'composed-random',
    title: 'The same, and random hashes for drawing, sound and maths',
    run: (attempt) =>
      send(
        attempt,
        nodeHttps,
        reported({
          ...FEW,
          ...MORE,
          raster: { glyphs: random(), shapes: random(), stable: true },
          waveform: { synthesis: random(), resampling: random(), stable: true },
          rounding: random(),
        }),
      ),
  },
  {
    ...shared,
    id: 'composed-errors',
    title: 'Every reading unsupported, as from a browser that tells nothing',
    run: (attempt) =>
      send(
        attempt,
        nodeHttps,
        Object.fromEntries(
          ['user_agent', 'screen', 'timezone', 'languages', 'hardware', 'automation', 'webgl', 'raster'].map(
            (name) => [name, { error: 'unsupported' }],
          ),
        ),
      ),
  },
]
