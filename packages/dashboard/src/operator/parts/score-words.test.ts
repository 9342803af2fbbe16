import { RATE_LIMIT_SCORE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { scoreWords } from './score-words.ts'

test('a low score is called trusted only where enough is known of the visit', () => {
  expect(scoreWords(12, 0.9)).toEqual({ tone: 'trusted', score: 12, said: 'Trusted' })
  expect(scoreWords(12, 0.1)).toEqual({ tone: 'rate_limited', score: 12, said: 'Trusted, little known' })
  expect(scoreWords(12, undefined)).toEqual({ tone: 'rate_limited', score: 12, said: undefined })
})

test('what was found says so, however little is known; a rate-limited visit has no score', () => {
  expect(scoreWords(45, undefined)).toEqual({ tone: 'suspicious', score: 45, said: 'Suspicious' })
  expect(scoreWords(60, 0.1)).toEqual({ tone: 'dangerous', score: 60, said: 'Dangerous' })
  const limited = scoreWords(RATE_LIMIT_SCORE, undefined)
  expect(limited).toEqual({ tone: 'rate_limited', score: undefined, said: 'Rate limited' })
})
