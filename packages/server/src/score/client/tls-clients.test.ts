import { expect, test } from 'vitest'
import { HELLOS } from '../../../test/connections.ts'
import { tlsClient } from './tls-clients.ts'

const POST_HANDSHAKE_AUTH = 49

test('a Firefox that may send its certificate later is no library', () => {
  const { ja4, hello } = HELLOS.firefox
  const later = { ...hello, extensions: [...hello.extensions, POST_HANDSHAKE_AUTH] }
  expect(tlsClient({ ja4, hello: later })).toEqual({ engine: 'Gecko' })
  expect(tlsClient(HELLOS.wget)).not.toEqual({ engine: 'Gecko' })
})
