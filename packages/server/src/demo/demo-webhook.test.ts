import { expect, test } from 'vitest'
import { createDeliveryLog } from './demo-webhook.ts'

test('the last hundred deliveries are kept', () => {
  const log = createDeliveryLog()
  for (let at = 0; at <= 100; at++) {
    log.add(`id-${at}`, { receivedAtMs: at, headers: {}, body: '', verified: true })
  }
  expect(log.find('id-0')).toBeUndefined()
  expect(log.find('id-1')).toBeDefined()
  expect(log.find('id-100')).toBeDefined()
})
