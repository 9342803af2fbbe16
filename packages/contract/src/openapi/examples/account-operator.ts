import type { AccountFeeds, BackTest, DomainRules, SystemHealth } from '../../account/index.ts'
import { REQUEST_ID } from './identification.ts'

/** Examples of the operations with which the installation itself is looked after. */

const WEIGHTS = { vpn: 5, os_mismatch: 75 }

const RULES: DomainRules = {
  active: 1,
  signals: [
    {
      name: 'vpn',
      title: 'VPN',
      meaning: 'The address belongs to a commercial VPN.',
      flag: 'vpn',
      release_weight: 15,
      weight: 5,
      max: 29,
    },
  ],
  suppressions: [{ by: 'vpn', silences: ['proxy', 'datacenter_ip'] }],
  versions: [
    {
      version: 1,
      saved_at: '2026-06-01T12:05:00.000Z',
      actor: 'ada@example.com',
      note: 'Many of our customers travel',
      weights: WEIGHTS,
    },
  ],
}

const BACK_TEST: BackTest = {
  state: 'done',
  weights: WEIGHTS,
  days: 7,
  started_at: '2026-06-01T12:00:00.000Z',
  done: 1_840,
  total: 1_840,
  report: {
    identifications: 1_840,
    changed: 61,
    matrix: {
      trusted: { trusted: 1_700, suspicious: 0, dangerous: 0 },
      suspicious: { trusted: 58, suspicious: 62, dangerous: 0 },
      dangerous: { trusted: 0, suspicious: 0, dangerous: 20 },
    },
    signals: [{ name: 'vpn', before: { hits: 61, points: 915 }, after: { hits: 61, points: 305 } }],
    samples: [{ request_id: REQUEST_ID, at: '2026-06-01T11:58:00.412Z', score: { before: 35, after: 25 } }],
  },
}

const FEEDS: AccountFeeds = {
  updating: null,
  feeds: [
    {
      feed: 'tor_exits',
      url: 'https://check.torproject.org/torbulkexitlist',
      kind: 'tor',
      crawler: null,
      terms: 'The Tor Project, public',
      rows: 1_240,
      updated_at: '2026-06-01T08:00:00.000Z',
      next_at: '2026-06-01T13:41:00.000Z',
      state: 'current',
      failure: null,
    },
  ],
}

const HEALTH: SystemHealth = {
  version: '0.1.0',
  started_at: '2026-05-30T06:00:00.000Z',
  checks: [
    {
      check: 'kernel evidence',
      state: 'warn',
      detail: 'not on darwin: the kernel must be Linux',
      advice: 'Run the server on Linux, so that signals about the network have facts.',
    },
    { check: 'database', state: 'ok', detail: '418 MB, 91 GB free', advice: null },
  ],
  database: {
    bytes: 418_000_000,
    rows: 55_200,
    rows_last_day: 1_840,
    bytes_per_day: 13_900_000,
    free_bytes: 91_000_000_000,
  },
  events: { waiting: 0, overdue_ms: 0, sends_last_hour: 76, delivered_share: 1 },
  ingest: [{ at: '2026-06-01T12:04:00.000Z', identifications: 3, p50_ms: 6, p99_ms: 12 }],
  follow_ups: 1,
  domains: [{ domain: 'example.com', remaining: 98_231, identifications_last_day: 1_840 }],
  retention: { days: 90, last_run_at: '2026-06-01T11:30:00.000Z', removed: 0 },
}

export const OPERATOR_EXAMPLES = {
  getRules: { answer: RULES },
  saveRules: { body: { weights: WEIGHTS, note: 'Many of our customers travel' }, answer: RULES },
  chooseRules: { body: { version: null }, answer: { ...RULES, active: null } },
  startBackTest: {
    body: { weights: WEIGHTS, days: 7, visits: 10_000 },
    answer: { ...BACK_TEST, state: 'running' as const, done: 0, report: null },
  },
  getBackTest: { answer: { back_test: BACK_TEST } },
  cancelBackTest: {},
  listFeeds: { answer: FEEDS },
  updateFeeds: { body: { feeds: ['tor_exits'] as string[] }, answer: FEEDS },
  getSystemHealth: { answer: HEALTH },
}
