import { expect, test } from 'vitest'
import { observed, unavailable } from '../visit/network-evidence.ts'
import { createUsualClients } from './usual-clients.ts'

const CHROME = { engine: 'Blink', browserMajor: 160 }
const tls = (ciphers: string, rest = '000000000000') =>
  observed('tls', { ja4: `t13d1516h2_${ciphers}_${rest}`, version: 'TLSv1.3', alpn: 'h2' })
const NEW = tls('aaaaaaaaaaaa')

test('TLS becomes usual once a browser came by it from twenty networks, not from one', () => {
  const clients = createUsualClients()
  for (let host = 1; host < 60; host++) clients.learn({ client: CHROME, tls: NEW, address: `91.0.0.${host}` })
  expect(clients.isUsual({ client: CHROME, tls: NEW })).toBeUndefined()
  for (let network = 1; network < 20; network++)
    clients.learn({ client: CHROME, tls: NEW, address: `91.0.${network}.1` })
  expect(clients.isUsual({ client: CHROME, tls: NEW })).toBe(true)
  expect(clients.isUsual({ client: CHROME, tls: tls('aaaaaaaaaaaa', '111111111111') })).toBe(true)
  expect(clients.isUsual({ client: CHROME, tls: tls('bbbbbbbbbbbb') })).toBeUndefined()
  expect(clients.isUsual({ client: { ...CHROME, browserMajor: 161 }, tls: NEW })).toBeUndefined()
  expect(clients.isUsual({ client: CHROME, tls: unavailable('behind_proxy') })).toBeUndefined()
})
