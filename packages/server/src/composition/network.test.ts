import { expect, test } from 'vitest'
import { publicUrls, readConfig } from './config.ts'
import { networkCheckSource } from './network.ts'

const sourceOf = (environment: Record<string, string>, isOpen = true) => {
  const config = readConfig(environment)
  return networkCheckSource(config, publicUrls(config), isOpen)
}

const INGEST_URL = 'https://shop.example/assets/i'

test.each([
  ['on this machine', {}],
  ['on this machine, over IPv6', { HOST: '::1', INGEST_URL: 'http://[::1]:8080' }],
  ['behind a proxy, on all addresses', { HOST: '0.0.0.0', INGEST_URL }],
])('the network check is available %s', (_where, environment) => {
  expect(sourceOf(environment)).toEqual({ source: 'network check', available: true, reason: '' })
})

test.each([
  ['127.0.0.1', { INGEST_URL }, 'shop.example'],
  ['localhost', { HOST: 'localhost', INGEST_URL }, 'shop.example'],
  ['127.0.0.1', { INGEST_URL, TURN_HOST: 'turn.shop.example' }, 'turn.shop.example'],
])('behind a proxy on this machine nobody reaches it at %s', (host, environment, name) => {
  const { available, reason } = sourceOf(environment)
  expect({ available, reason }).toEqual({
    available: false,
    reason: `visitors look for it at ${name}, but HOST is ${host}`,
  })
})

test('without its port the setting that closes it is named', () => {
  expect(sourceOf({ TURN_PORT: 'off', INGEST_URL }, false).reason).toBe('TURN_PORT is off')
})
