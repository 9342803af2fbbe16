import { expect, test } from 'vitest'
import { observed, unavailable } from '../visit/network-evidence.ts'
import { createUsualClients, http2KindOf, kindOf, siteNetworkOf } from './usual-clients.ts'

const CHROME = { engine: 'Blink', browserMajor: 160 }
const tls = (ciphers: string, rest = '000000000000') =>
  observed('tls', { ja4: `t13d1516h2_${ciphers}_${rest}`, version: 'TLSv1.3', alpn: 'h2' })
const NEW = tls('aaaaaaaaaaaa')

const HTTP2 = (table: number) =>
  http2KindOf(observed('http', { fingerprint: `1:${table};2:0;4:6291456;8:1|15663105|0|m,s,a,p` }))

test.each([
  ['TLS', kindOf(NEW), kindOf(tls('aaaaaaaaaaaa', '111111111111')), kindOf(tls('bbbbbbbbbbbb'))],
  ['HTTP/2', HTTP2(65_536), HTTP2(4_096), 'http2 1;2;4 15663105 m,s,a,p'],
])(
  '%s becomes usual once a browser came by it from twenty networks, not from one',
  (_, kind, like, other) => {
    const clients = createUsualClients()
    for (let host = 1; host < 60; host++) clients.learn(CHROME, kind, `91.0.0.${host}`)
    expect(clients.isUsual(CHROME, kind)).toBeUndefined()
    for (let network = 1; network < 20; network++) clients.learn(CHROME, kind, `91.0.${network}.1`)
    expect(clients.isUsual(CHROME, kind)).toBe(true)
    expect(clients.isUsual(CHROME, like)).toBe(true)
    expect(clients.isUsual(CHROME, other)).toBeUndefined()
    expect(clients.isUsual({ ...CHROME, browserMajor: 161 }, kind)).toBeUndefined()
    expect(clients.isUsual(CHROME, kindOf(unavailable('behind_proxy')))).toBeUndefined()
  },
)

test.each([
  ['91.0.7.1', '91.0.7.254', '91.0.8.1'],
  ['2001:db8::5', '2001:db8:0:1::5', '2001:db8:1::5'],
  ['2600:0:0:2:3:4:5:6', '2600::1', '2600:0:1::1'],
])('%s and %s are of one network, and %s is not', (address, neighbour, other) => {
  expect(siteNetworkOf(neighbour)).toBe(siteNetworkOf(address))
  expect(siteNetworkOf(other)).not.toBe(siteNetworkOf(address))
})
