import { expect, test } from 'vitest'
import { createUsualChannels } from './usual-channels.ts'

test('a channel is usual once the visits of ten networks opened it, and not where a tenth cannot', () => {
  const channels = createUsualChannels()
  for (let visit = 0; visit < 50; visit++) channels.learn(1, '91.0.0', true)
  expect(channels.isUsual(1)).toBe(false)
  for (let network = 1; network < 10; network++) channels.learn(1, `91.0.${network}`, true)
  expect([channels.isUsual(1), channels.isUsual(2)]).toEqual([true, false])
  for (let network = 10; network < 12; network++) channels.learn(1, `91.0.${network}`, false)
  expect(channels.isUsual(1)).toBe(false)
})
