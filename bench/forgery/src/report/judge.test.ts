import { expect, test } from 'vitest'
import type { Case } from '../case.ts'
import type { Result } from '../run-case.ts'
import { judgeAll } from './judge.ts'

const someone = (id: string, kind: Case['kind']): Case => ({
  id,
  kind,
  title: id,
  family: 'storage',
  run: async () => id,
})

const scored = (id: string, run: number, score: number): Result => ({
  id,
  run,
  at: '2026-11-22T00:00:00.000Z',
  seconds: 1,
  commit: '',
  verdict: { requestId: 'r', deviceId: 'd', score, flags: [], entries: [], unknown: [], linked: undefined },
})

const before = { commit: 'c', day: '2026-11-22', scores: { person: 10, other: 0 } }
const [thief, person, other, unmeasured] = [
  someone('thief', 'forger'),
  someone('person', 'honest'),
  someone('other', 'honest'),
  someone('unmeasured', 'honest'),
] as const

test('a forger counts as caught only if every run reaches the goal', () => {
  const one = judgeAll([thief], [scored('thief', 1, 90), scored('thief', 2, 59)], before)
  const all = judgeAll([thief], [scored('thief', 1, 90), scored('thief', 2, 60)], before)
  expect([one[0]?.caught, all[0]?.caught]).toEqual([false, true])
})

test('a person is accused by any run with more points than before, and not by as many', () => {
  const results = [scored('person', 1, 10), scored('other', 1, 0), scored('other', 2, 5)]
  expect(judgeAll([person, other], results, before).map(({ caught }) => caught)).toEqual([false, true])
})

test('what was not measured is neither right nor wrong', () => {
  const failed: Result = { id: 'thief', run: 1, at: '', seconds: 1, commit: '', error: 'no verdict' }
  const judged = judgeAll([thief, unmeasured], [failed, scored('unmeasured', 1, 50)], before)
  expect(judged.map(({ caught }) => caught)).toEqual([undefined, undefined])
})
