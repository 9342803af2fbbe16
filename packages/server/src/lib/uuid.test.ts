import { NIL_UUID } from '@inkling/contract'
import { expect, test } from 'vitest'
import { uuidOrNil, uuidToBytes, uuidToText, uuidV5 } from './uuid.ts'

test('a name-based UUID is the one that RFC 9562 gives for www.example.com', () => {
  expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  )
})

test('bytes and text are two forms of the same UUID, and text leaves in lower case', () => {
  const bytes = uuidToBytes('2ED6657D-E927-568B-95E1-2665A8AEA6A2')
  expect(bytes && uuidToText(bytes)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('a missing or malformed identifier counts as the nil UUID', () => {
  expect(uuidOrNil(undefined)).toBe(NIL_UUID)
  expect(uuidOrNil('2ed6657d-e927-568b-95e1')).toBe(NIL_UUID)
  expect(uuidToBytes('2ed6657de927568b95e12665a8aea6a2')).toBeUndefined()
})
