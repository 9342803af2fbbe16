import { expect, test } from 'vitest'
import { CHROMIUM_FETCH, tlsOf } from '../../test/connections.ts'
import { observed, unavailable } from '../visit/network-evidence.ts'
import { createScriptLoads } from './script-loads.ts'

const headers = unavailable('not_observed')

test('a load counts for all of its network that comes by the same TLS', () => {
  const loads = createScriptLoads()
  loads.add({ tls: tlsOf('go'), headers, address: '91.0.0.1' })
  expect(loads.has({ tls: tlsOf('go'), headers, address: '91.0.0.200' })).toBe(true)
  expect(loads.has({ tls: tlsOf('undici'), headers, address: '91.0.0.1' })).toBe(false)
  expect(loads.has({ tls: tlsOf('go'), headers, address: '91.0.1.1' })).toBe(false)
  expect(loads.has({ tls: unavailable('behind_proxy'), headers, address: '91.0.0.1' })).toBeUndefined()
})

test('a bare request for the script is no load for a browser that says what its requests are for', () => {
  const from = (fetchMetadata: string) => ({
    tls: tlsOf('undici'),
    headers: observed('http', { ...CHROMIUM_FETCH, fetchMetadata }),
    address: '91.0.0.1',
  })
  const loads = createScriptLoads()
  loads.add(from('//'))
  expect(loads.has(from('cross-site/cors/empty'))).toBe(false)
  expect(loads.has(from('//'))).toBe(true)
  loads.add(from('cross-site/cors/script'))
  expect(loads.has(from('cross-site/cors/empty'))).toBe(true)
})
