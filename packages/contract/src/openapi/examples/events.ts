import { TEST_SAMPLE } from '../../test-sample.ts'
import { SCHEMA_VERSION, type WebhookPing } from '../../webhook-events.ts'
import type { Examples } from '../content.ts'
import { SCORED } from './identification.ts'

/** The secret that the signatures of the examples are made with. */
export const EXAMPLE_SECRET = 'whsec_00112233445566778899aabbccddeeff'
export const PING_SIGNATURE = 'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8'
export const SCORED_SIGNATURE = 'sha256=4940e6985a9186cb1c31860adac5d6b7c3760ebd10a626e8f4f81e11be6fd302'

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
