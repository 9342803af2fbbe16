import { expect, test } from 'vitest'
import { type ConnectionEvidence, NO_CONNECTION_EVIDENCE, observed } from '../visit/network-evidence.ts'
import { ofVisitorOnly } from './undeclared-proxy.ts'

const seen: ConnectionEvidence = {
  ...NO_CONNECTION_EVIDENCE,
  tcpRoundTrip: observed('kernel', { minMs: 0.1 }),
  tls: observed('tls', { ja4: 'x', version: 'TLSv1.3', alpn: 'h2', helloGapMs: 1 }),
}

test('a visitor from the internet or the local network is seen as it is, whatever it writes', () => {
  expect(ofVisitorOnly(seen, '91.0.0.1', { 'x-forwarded-for': '1.2.3.4' })).toBe(seen)
  expect(ofVisitorOnly(seen, '10.0.0.7', {})).toBe(seen)
})

test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
  'a proxy in the own network that writes %s hides the visitor: nothing is known',
  (header) => {
    for (const evidence of Object.values(ofVisitorOnly(seen, '172.17.0.1', { [header]: 'x' })))
      expect(evidence).toEqual({ available: false, reason: 'undeclared_proxy' })
  },
)

test('a connection of this machine came over no path that could be measured', () => {
  for (const peer of ['127.0.0.1', '::1'])
    expect(ofVisitorOnly(seen, peer, {})).toEqual({
      ...seen,
      tcpRoundTrip: { available: false, reason: 'loopback' },
    })
})
