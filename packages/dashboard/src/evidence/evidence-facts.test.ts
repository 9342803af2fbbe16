import { expect, test } from 'vitest'
import { evidenceFacts } from './evidence-facts.ts'
import type { EvidenceFact } from './plain-words.ts'

/** Facts as indented lines. */
const lines = (facts: readonly EvidenceFact[], indent = ''): string[] =>
  facts.flatMap(({ label, value }) =>
    typeof value === 'string'
      ? [`${indent}${label}: ${value}`]
      : [`${indent}${label}:`, ...lines(value, `${indent}  `)],
  )
const shown = (evidence: Record<string, unknown>): string[] => lines(evidenceFacts(evidence))

test('signs of automation are sentences, and their points are told apart from those of the score', () => {
  expect(shown({ webdriver: true, headless_in: ['user agent'], points: 70 })).toEqual([
    'The browser says: a program controls it (navigator.webdriver)',
    'Calls itself headless in: user agent',
    'Strength of these signs: 70, on a scale of its own: the score counts the signal’s weight',
  ])
})

test('what page and worker tell differently is laid out fact by fact', () => {
  const evidence = [
    { fact: 'platform', page: 'Win32', worker: 'Linux x86_64' },
    { fact: 'languages', page: ['de', 'en'], worker: ['en'] },
  ]
  expect(shown({ worker_mismatch: evidence, native_lies: ['Navigator.platform:proxy'] })).toEqual([
    'The page contradicts its worker:',
    '  Platform: “Win32” says the page, “Linux x86_64” says the worker',
    '  Languages: “de, en” says the page, “en” says the worker',
    'Built-in functions replaced in secret: Navigator.platform (wrapped in a proxy)',
  ])
})

test('JSON is laid out, also within a text', () => {
  const expected = ['Options:', '  A:', '    B: 1, 2', '  C: unknown']
  expect(shown({ options: { a: { b: [1, 2] }, c: null } })).toEqual(expected)
  expect(shown({ options: '{"a":{"b":[1,2]},"c":null}' })).toEqual(expected)
  expect(shown({ options: '{not JSON' })).toEqual(['Options: {not JSON'])
  expect(
    shown({
      header_mismatch: [{ language: { header: 'de', script: ['en'] } }, { name_case: { sent: 'x' } }],
    }),
  ).toEqual([
    'The request’s headers contradict the page:',
    '  Language:',
    '    Header: de',
    '    Page: en',
    '  Name case:',
    '    Sent: x',
  ])
  expect(shown({ sightings: [{ port: 1 }, { port: 2 }] })).toEqual([
    'Sightings:',
    '  1:',
    '    Port: 1',
    '  2:',
    '    Port: 2',
  ])
})

test('a reading shows its value, and units stand behind numbers', () => {
  const privateMode = { ok: true, value: { files: 'ok', write_ms: 0.4, flush_ratio: null } }
  expect(shown({ private_mode: privateMode, minMs: 12, gap_minutes: 300, gone: undefined })).toEqual([
    'Files in this window:',
    '  Answer to a request for files: ok',
    '  Time of a write: 0.40 ms',
    '  A write to disk takes, compared with one to memory: unknown',
    'Min: 12 ms',
    'Distance from the address’s time zone: 300 minutes',
  ])
})

test('addresses and earlier visits can be followed', () => {
  expect(evidenceFacts({ real_address: '91.0.0.7', request_id: 'x', asn: 3320 })).toEqual([
    { label: 'Address behind it', value: '91.0.0.7', identifier: 'local_ip' },
    { label: 'Earlier visit', value: 'x', identifier: 'request_id' },
    { label: 'Network', value: 'AS3320' },
  ])
})
