import { describe, expect, test } from 'vitest'
import { createPublicPlaces } from './public-places.ts'

describe('the path of a public URL', () => {
  const shared = createPublicPlaces(['https://a.example', 'https://a.example/i', 'https://a.example/i/long'])

  test.each([
    ['/agent.js?x=1', '', '/agent.js?x=1'],
    ['/i/agent.js?x=1', '/i', '/agent.js?x=1'],
    ['/i/long/agent.js', '/i/long', '/agent.js'],
    ['/i', '', '/i'],
    ['/island/agent.js', '', '/island/agent.js'],
    ['/i/%2F/raw', '/i', '/%2F/raw'],
  ])('%s is below "%s": %s', (url, base, rest) => {
    expect(shared.placeOf({ url, headers: { host: 'a.example' } })).toEqual({ base, url: rest })
  })

  test('any host name stands for the only one', () => {
    const place = shared.placeOf({ url: '/i/agent.js', headers: { host: '127.0.0.1:8080' } })
    expect(place).toEqual({ base: '/i', url: '/agent.js' })
  })

  test('counts on the host of that URL only', () => {
    const places = createPublicPlaces(['https://a.example', 'https://b.example/i'])
    const placeOn = (headers: Record<string, string>) => places.placeOf({ url: '/i/agent.js', headers })
    expect(placeOn({ host: 'a.example' })).toEqual({ base: '', url: '/i/agent.js' })
    expect(placeOn({ host: 'B.example:443' })).toEqual({ base: '/i', url: '/agent.js' })
    expect(placeOn({ ':authority': 'b.example' })).toEqual({ base: '/i', url: '/agent.js' })
  })

  test.each([
    [
      '/api/v1/history/*',
      'https://a.example/api',
      'takes the requests for /api/v1/history/* from https://a.example:',
    ],
    ['/api/v1/history/*', 'https://a.example/assets', undefined],
    ['/api/v1/history/*', 'https://b.example/api', undefined],
    ['/:credentials/profile', 'https://a.example/api', undefined],
  ])('must not take %s: %s', (route, other, problem) => {
    const { checkRoute } = createPublicPlaces(['https://a.example', other])
    const check = () => checkRoute('https://a.example', route)
    if (problem === undefined) expect(check).not.toThrow()
    else expect(check).toThrow(problem)
  })

  test('takes nothing from a surface below the same path', () => {
    const { checkRoute } = createPublicPlaces(['https://a.example/api', 'https://a.example/api'])
    expect(() => checkRoute('https://a.example/api', '/api/v1/history/*')).not.toThrow()
  })
})

describe('the host of a public URL', () => {
  const { hostOf } = createPublicPlaces(['https://a.example', 'http://b.example', 'http://c.example:8080'])

  test.each([
    [
      'https://a.example',
      ['a.example', 'A.Example', 'a.example.', 'a.example:443', 'a.example.:443', 'a.example:'],
    ],
    ['http://b.example', ['b.example', 'b.example:80']],
    ['http://c.example:8080', ['c.example:8080', 'c.example.:8080']],
  ])('%s is named %j', (url, hosts) => {
    for (const host of hosts) expect(host).toMatch(hostOf(url) ?? /never^/)
  })

  test.each([
    [
      'https://a.example',
      ['a.example:80', 'a.example:8443', 'a.example..', 'b.a.example', 'a.example.b', 'axexample', ''],
    ],
    ['http://c.example:8080', ['c.example', 'c.example:80']],
  ])('%s is not named %j', (url, hosts) => {
    for (const host of hosts) expect(host).not.toMatch(hostOf(url) ?? /(?:)/)
  })
})
