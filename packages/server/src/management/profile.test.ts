import { DomainProfile } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { managementSurface } from '../../test/management-surface.ts'
import { domainStore } from '../store/domains/domains.ts'
import { mask, presentProfile } from './profile.ts'

const profileOf = async (
  headers: Record<string, string>,
  { app }: Awaited<ReturnType<typeof managementSurface>>,
) => app.inject({ url: '/v1/profile', headers })

describe('GET /v1/profile', () => {
  test('200: the profile with masked keys, its keys in the order of the contract', async () => {
    const surface = await managementSurface()
    const answer = await profileOf(surface.headers, surface)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const profile = DomainProfile.strict().parse(answer.json())
    expect(answer.body).toBe(
      JSON.stringify({
        Domain: 'shop.example',
        Weight: 1_000_000,
        Callback: '',
        PublicKey: `${'*'.repeat(28)}${surface.publicKey.slice(-4)}`,
        Secret: `${'*'.repeat(28)}${surface.secretKey.slice(-4)}`,
        CreatedAt: '2026-01-01T00:00:00Z',
      }),
    )
    expect(profile.Secret).toHaveLength(surface.secretKey.length)
  })

  test('200: the remaining volume is that of this moment, below zero when overspent', async () => {
    const surface = await managementSurface()
    await domainStore(surface.store.writes).change(surface.domainId, { remaining: 1 })
    await surface.record()
    await surface.record()
    expect((await profileOf(surface.headers, surface)).json().Weight).toBe(-1)
  })

  test('200: the scheme is read in any case, and the header has the operator’s short name', async () => {
    const surface = await managementSurface({ serviceName: 'Acme-1' })
    const authorization = `bEARER  ${surface.secretKey} `
    const named = await profileOf({ 'X-Acme-1-Domain': 'shop.example', authorization }, surface)
    expect(named.statusCode).toBe(200)
    const otherName = await profileOf({ 'X-Svc-Domain': 'shop.example', authorization }, surface)
    expect(otherName.statusCode).toBe(401)
  })

  test('200: HEAD is GET without a body', async () => {
    const { app, headers } = await managementSurface()
    const answer = await app.inject({ method: 'HEAD', url: '/v1/profile', headers })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
  })

  const wrong: [string, Record<string, string | undefined>][] = [
    ['no headers', { 'x-svc-domain': undefined, authorization: undefined }],
    ['no domain', { 'x-svc-domain': undefined }],
    ['an empty domain', { 'x-svc-domain': '' }],
    ['an unknown domain', { 'x-svc-domain': 'other.example' }],
    ['a domain in another case', { 'x-svc-domain': 'Shop.example' }],
    ['a domain with a scheme', { 'x-svc-domain': 'https://shop.example' }],
    ['a domain of more than 253 characters', { 'x-svc-domain': 'a'.repeat(254) }],
    ['no key', { authorization: undefined }],
    ['another scheme', { authorization: 'Basic abc' }],
    ['a wrong key', { authorization: `Bearer ${'0'.repeat(32)}` }],
  ]
  test.each(wrong)('401 with an empty body and no content type: %s', async (_name, change) => {
    const surface = await managementSurface()
    const headers = Object.fromEntries(
      Object.entries({ ...surface.headers, ...change }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    )
    const answer = await profileOf(headers, surface)
    expect(answer.statusCode).toBe(401)
    expect(answer.body).toBe('')
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(answer.headers).not.toHaveProperty('deprecation')
  })

  test('401: the other credentials of the domain do not open it, nor does a disabled domain', async () => {
    const surface = await managementSurface()
    const withPublicKey = { ...surface.headers, authorization: `Bearer ${surface.publicKey}` }
    expect((await profileOf(withPublicKey, surface)).statusCode).toBe(401)
    await domainStore(surface.store.writes).change(surface.domainId, { enabled: 0 })
    expect((await profileOf(surface.headers, surface)).statusCode).toBe(401)
    await surface.directory.refresh()
    expect((await profileOf(surface.headers, surface)).statusCode).toBe(401)
  })

  test('404, plain: another method, another path', async () => {
    const { app, headers } = await managementSurface()
    for (const request of [
      { method: 'POST', url: '/v1/profile' },
      { method: 'GET', url: '/v1/profile/' },
      { method: 'GET', url: '/api/v1/profile' },
    ] as const) {
      const answer = await app.inject({ ...request, headers })
      expect([answer.statusCode, answer.body]).toEqual([404, '404 page not found'])
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    }
  })
})

const ROW = {
  id: 1,
  name: 'shop.example',
  enabled: 1,
  remaining: 5,
  has_volume: 1,
  created_at: Date.UTC(2026, 2, 4, 5, 6, 7, 890),
  namespace: Buffer.alloc(16),
  public_key: '00112233445566778899aabbccddeeff',
  secret_key_hash: Buffer.alloc(32),
  secret_key_tail: '41ab',
  api_key_hash: Buffer.alloc(32),
  stored_bytes: 0,
  disk_budget: null,
  origins: null,
  sealed_user_key: null,
  signed_users_only: 0,
  sealed_verdicts: 0,
  verdict_key: null,
  next_verdict_key: null,
  next_verdict_from: null,
  review_cases: 1,
  review_hours: 24,
  case_number: 0,
  false_merge_cost: null,
}

test('a mask keeps the length and the last four characters; four or fewer stay', () => {
  expect(mask('abcdefgh')).toBe('****efgh')
  expect(mask('abcde')).toBe('*bcde')
  for (const short of ['', 'a', 'abcd']) expect(mask(short)).toBe(short)
})

test('times are to the second, and an unknown one is year 1', () => {
  expect(presentProfile(ROW, '').CreatedAt).toBe('2026-03-04T05:06:07Z')
  expect(presentProfile({ ...ROW, created_at: 0 }, '').CreatedAt).toBe('0001-01-01T00:00:00Z')
})
