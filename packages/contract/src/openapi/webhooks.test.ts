import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  DECISION_EVENTS,
  DECISION_SIGNATURE,
  EXAMPLE_SECRET,
  MERGED_EVENTS,
  MERGED_SIGNATURE,
  PATTERN_EVENTS,
  PATTERN_SIGNATURE,
  PING_SIGNATURE,
  PINGS,
  SCORED_EVENTS,
  SCORED_SIGNATURE,
  SPLIT_EVENTS,
  SPLIT_SIGNATURE,
} from './webhooks.ts'

/** The bytes of an event as they are sent. */
const sent = (event: unknown): string =>
  JSON.stringify(event).replace(/[&<>]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)

/** The signature that the command in the guide computes. */
function signed(body: string): string {
  const line = execFileSync('openssl', ['dgst', '-sha256', '-hmac', EXAMPLE_SECRET], {
    input: body,
    encoding: 'utf8',
  })
  return `sha256=${line.trim().slice(-64)}`
}

test('openssl computes the signatures of the examples', () => {
  expect(signed(sent(PINGS.ping?.value))).toBe(PING_SIGNATURE)
  expect(signed(sent(SCORED_EVENTS.scored?.value))).toBe(SCORED_SIGNATURE)
  expect(signed(sent(PATTERN_EVENTS.changed?.value))).toBe(PATTERN_SIGNATURE)
  expect(signed(sent(DECISION_EVENTS.changed?.value))).toBe(DECISION_SIGNATURE)
  expect(signed(sent(MERGED_EVENTS.merged?.value))).toBe(MERGED_SIGNATURE)
  expect(signed(sent(SPLIT_EVENTS.split?.value))).toBe(SPLIT_SIGNATURE)
})

test('the guide shows the secret, the body and the signature of the ping', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8')
  for (const text of [EXAMPLE_SECRET, sent(PINGS.ping?.value), PING_SIGNATURE.replace('sha256=', '')])
    expect(guide).toContain(text)
  expect(guide).toContain(`openssl dgst -sha256 -hmac ${EXAMPLE_SECRET}`)
})
