import { expect, test } from 'vitest'
import { createUsualChannels } from './usual-channels.ts'

test('a channel is usual where five networks are known to open one, until more than a tenth of the networks come without one', () => {
  const channels = createUsualChannels()
  for (let network = 0; network < 10; network++) {
    expect(channels.isUsual(1)).toBe(network >= 5)
    channels.learn(1, `91.0.${network}`, true)
  }
  for (let visit = 0; visit < 50; visit++) channels.learn(1, '92.0.0', false)
  expect(channels.isUsual(1)).toBe(true)
  channels.learn(1, '92.0.1', false)
  expect([channels.isUsual(1), channels.isUsual(2)]).toEqual([false, false])
})
