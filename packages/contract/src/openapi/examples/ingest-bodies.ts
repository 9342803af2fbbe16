import type { IngestBody } from '../../ingest-body.ts'
import type { Examples } from '../content.ts'
import { ROW } from './identification.ts'

const FULL: IngestBody = {
  version: 1,
  agent_version: '0.1.0',
  session_id: ROW.session_id,
  cookie_id: ROW.cookie_id,
  user_hid: ROW.user_hid,
  landing: {
    url: 'https://shop.example.com/sale?gclid=Cj0KCQ&utm_source=google',
    referrer: 'https://www.google.com/',
  },
  duration_ms: 184,
  readings: {
    user_agent: {
      value:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
    },
    client_hints: {
      value: {
        brands: [{ brand: 'Chromium', version: '148' }],
        mobile: false,
        platform: 'Windows',
        platform_version: '15.0.0',
      },
    },
    platform: { value: 'Win32' },
    screen: {
      value: {
        width: 1920,
        height: 1080,
        avail_width: 1920,
        avail_height: 1032,
        color_depth: 24,
        pixel_ratio: 1,
      },
    },
    timezone: { value: { name: 'America/New_York', offset_minutes: -240 } },
    languages: { value: { language: 'en-US', languages: ['en-US', 'en'], locale: 'en-US' } },
    hardware: { value: { cores: 8, memory_gb: 8, max_touch_points: 0 } },
    canvas: {
      value: { text: '9c1f0d2ab37e', geometry: '4be07711c0d9', winding: true, stable: true },
    },
    audio: { value: { sum: 124.04347527516074, stable: true } },
    fonts: { value: ['Arial', 'Calibri', 'Consolas', 'Segoe UI'] },
    media_devices: { error: 'unsupported' },
    automation: { value: { webdriver: false, markers: [] } },
  },
}

export const INGEST_BODIES: Examples = {
  collected: { summary: 'What the agent sends, shortened', value: FULL },
  smallest: {
    summary: 'Nothing known: every missing fact is unknown, never suspicious',
    value: {} satisfies IngestBody,
  },
}
