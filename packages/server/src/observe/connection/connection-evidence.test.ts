import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import {
  type ConnectionEvidence,
  NO_CONNECTION_EVIDENCE,
  observed,
  unavailable,
} from '../../visit/network-evidence.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { type Connection, connectionEvidence, withoutUndeclaredProxy } from './connection-evidence.ts'

const connection: Connection = {
  socket: new Socket(),
  acceptedAtMs: 0,
  peer: { address: '192.0.2.7', port: 1 },
  balanced: false,
  syn: undefined,
  tls: unavailable('plain_http'),
  http2: observed('http', '1:65536|15663105|0'),
}
const request = { httpVersion: '2.0', rawHeaders: [':method', 'GET', ':path', '/'], headers: {} }

const evidenceWith = (kernel: Partial<Kernel>, change: Partial<Connection> = {}) =>
  connectionEvidence({ ...connection, ...change }, request, {
    kernel: {
      available: true,
      reason: undefined,
      saveSyns: () => true,
      savedSyn: () => undefined,
      tcpInfo: () => undefined,
      ...kernel,
    },
    isTrustedProxy: () => false,
  })

test('without the kernel, its evidence gives the reason and the rest is unaffected', () => {
  const evidence = evidenceWith({ available: false, reason: 'not on darwin' })
  expect(evidence.syn).toEqual(unavailable('not on darwin'))
  expect(evidence.tcpRoundTrip).toEqual(unavailable('not on darwin'))
  expect(evidence.http2).toEqual(observed('http', { fingerprint: '1:65536|15663105|0|m,p' }))
})

test('a SYN that the kernel did not save, as under SYN cookies, is unavailable', () => {
  expect(evidenceWith({}).syn).toEqual(unavailable('not_saved'))
})

test('a SYN that cannot be parsed is unavailable', () => {
  expect(evidenceWith({}, { syn: new Uint8Array([1, 2, 3]) }).syn).toEqual(unavailable('unreadable'))
})

test('a closed connection has no round trip', () => {
  expect(evidenceWith({}).tcpRoundTrip).toEqual(unavailable('closed'))
})

const seen: ConnectionEvidence = {
  ...NO_CONNECTION_EVIDENCE,
  tcpRoundTrip: observed('kernel', { minMs: 0.1 }),
  tls: observed('tls', { ja4: 'x', version: 'TLSv1.3', alpn: 'h2', helloGapMs: 1 }),
}

test('evidence of a public or local visitor is kept, whatever headers it sends', () => {
  expect(withoutUndeclaredProxy(seen, '91.0.0.1', { 'x-forwarded-for': '1.2.3.4' })).toBe(seen)
  expect(withoutUndeclaredProxy(seen, '10.0.0.7', {})).toBe(seen)
})

test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
  'a proxy in the own network that writes %s hides the visitor: nothing is known',
  (header) => {
    for (const evidence of Object.values(withoutUndeclaredProxy(seen, '172.17.0.1', { [header]: 'x' })))
      expect(evidence).toEqual({ available: false, reason: 'undeclared_proxy' })
  },
)

test('a connection from this machine has no round trip to measure', () => {
  for (const peer of ['127.0.0.1', '::1'])
    expect(withoutUndeclaredProxy(seen, peer, {})).toEqual({
      ...seen,
      tcpRoundTrip: { available: false, reason: 'loopback' },
    })
})
