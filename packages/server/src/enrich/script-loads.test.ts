import { expect, test } from 'vitest'
import { tlsOf } from '../../test/connections.ts'
import { unavailable } from '../visit/network-evidence.ts'
import { createScriptLoads } from './script-loads.ts'

test('a load counts for all of its network that comes by the same TLS', () => {
  const loads = createScriptLoads()
  loads.add({ tls: tlsOf('go'), address: '91.0.0.1' })
  expect(loads.has({ tls: tlsOf('go'), address: '91.0.0.200' })).toBe(true)
  expect(loads.has({ tls: tlsOf('undici'), address: '91.0.0.1' })).toBe(false)
  expect(loads.has({ tls: tlsOf('go'), address: '91.0.1.1' })).toBe(false)
  expect(loads.has({ tls: unavailable('behind_proxy'), address: '91.0.0.1' })).toBeUndefined()
})
