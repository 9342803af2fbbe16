import type { PatternChanged } from '../../patterns.ts'
import { TEST_SAMPLE } from '../../test-sample.ts'
import { SCHEMA_VERSION, type WebhookPing } from '../../webhook-events.ts'
import type { Examples } from '../content.ts'
import { FINDING } from './account-patterns.ts'
import { SCORED } from './identification.ts'

/** The secret that the signatures of the examples are made with. */
export const EXAMPLE_SECRET = 'whsec_00112233445566778899aabbccddeeff'
export const PING_SIGNATURE = 'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8'
export const SCORED_SIGNATURE = 'sha256=4940e6985a9186cb1c31860adac5d6b7c3760ebd10a626e8f4f81e11be6fd302'
export const PATTERN_SIGNATURE = 'sha256=a38adc70f8c78b4478f25cdc6d0b5923e875911fbe45582fbaf4b2d97aefe140'

const PING: WebhookPing = {
  created_at: '2026-09-30T12:34:56Z',
  event_type: 'webhook.ping',
  schema_version: SCHEMA_VERSION,
}

export const SCORED_EVENTS: Examples = {
  scored: { summary: 'A scored identification', value: SCORED },
  testDelivery: { summary: 'The Test button', value: TEST_SAMPLE },
}

export const PINGS: Examples = { ping: { summary: 'A ping', value: PING } }

const PATTERN: PatternChanged = {
  event_type: 'pattern.changed',
  schema_version: SCHEMA_VERSION,
  event_id: '0d6f3a1e-7b52-4c8e-9a41-2f5e8c7d6b10',
  created_at: '2026-06-01T12:03:00Z',
  data: {
    finding_id: FINDING.id,
    domain: 'example.com',
    pattern: FINDING.pattern,
    entity_type: FINDING.entity_type,
    entity_value: FINDING.entity_value,
    change: 'new',
    grade: FINDING.grade,
    previous_grade: null,
    count: FINDING.count,
    suspicious_from: FINDING.suspicious_from,
    dangerous_from: FINDING.dangerous_from,
    average_score: FINDING.average_score,
    first_at: '2026-05-30T08:12:00Z',
    last_at: '2026-06-01T12:00:00.412Z',
  },
}

export const PATTERN_EVENTS: Examples = { changed: { summary: 'A pattern appeared', value: PATTERN } }
