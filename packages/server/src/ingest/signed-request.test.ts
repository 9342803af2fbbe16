import { expect, test } from 'vitest'
import { signedRequest } from './signed-request.ts'

const SIGNED = { 'signature-input': 'sig1=()', signature: 'sig1=:AA==:' }

const authoritiesOf = (headers: Record<string, string>): readonly string[] | undefined => {
  const raw = { headers: { ...headers, ...SIGNED }, rawHeaders: [], method: 'POST' }
  const request = { raw, originalUrl: '/snapshot/1' } as unknown as Parameters<typeof signedRequest>[0]
  return signedRequest(request, 'https://inkling.example', 'shop.example')?.authorities
}

test.each<[string, Record<string, string>, string[]]>([
  ['of the domain counts', { host: 'www.shop.example' }, ['www.shop.example', 'inkling.example']],
  ['of another site does not', { host: 'evil.example' }, ['inkling.example']],
  ['of another site in HTTP/2 does not', { ':authority': 'evil.example' }, ['inkling.example']],
  ['that only ends alike does not', { host: 'evilshop.example' }, ['inkling.example']],
])('for a visit, a host %s', (_name, headers, authorities) => {
  expect(authoritiesOf(headers)).toEqual(authorities)
})
