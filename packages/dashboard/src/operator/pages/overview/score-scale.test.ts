import { expect, test } from 'vitest'
import { scoreScale } from './score-scale.ts'

test('an average of 8 fills most of its scale, and no scale cuts its highest point', () => {
  expect(
    [[8, null, 3], [9.9], [19], [28], [31, 2], [60], [100], [null], []].map(
      (scores) => scoreScale(scores).end,
    ),
  ).toEqual([10, 20, 20, 30, 60, 100, 100, 10, 10])
})
