import { expect, test } from 'vitest'
import { scoreDetails } from './score-details.ts'

test('entries are read from the text, those of no known shape left out', () => {
  const text = '[{"Value":60,"Description":"Browser Automation"},{"Value":"1"},null,7]'
  expect(scoreDetails(text)).toEqual([{ Value: 60, Description: 'Browser Automation' }])
})

test.each([undefined, '', 'null', '{}', '[', '7'])('%j has no entries', (text) => {
  expect(scoreDetails(text)).toEqual([])
})
