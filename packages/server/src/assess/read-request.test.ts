import { expect, test } from 'vitest'
import { readRequest } from './read-request.ts'

const SIGNED = { 'signature-input': 'sig1=()', signature: 'sig1=:AA==:' }

test.each<[string, string, string, string[]]>([
  ['the host of the URL alone', 'https://shop.example/', 'www.shop.example', ['shop.example']],
  ['no host of another site', 'https://evil.example/', 'evil.example', []],
  ['the one that was sent where the URL is a proxy’s', 'http://10.0.0.1/', 'shop.example', ['shop.example']],
])('a signature is for %s', (_name, url, host, authorities) => {
  const headers: [string, string][] = [['Host', host], ...Object.entries(SIGNED)]
  const received = readRequest(
    { method: 'GET', url, address: '91.10.0.7', headers },
    { domain: { id: 1, name: 'shop.example', namespace: '' }, id: '', atMs: 0 },
  )
  expect(received.signed?.authorities).toEqual(authorities)
})
