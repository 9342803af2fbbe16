import { describe, expect, test } from 'vitest'
import { belongsTo, pageOf } from './caller.ts'

const requestHost = (origin: string | undefined, referer: string | undefined) => pageOf(origin, referer)?.host

describe('request host', () => {
  test('the origin decides, the referrer only without one', () => {
    expect(requestHost('https://shop.example', 'https://other.example/a')).toBe('shop.example')
    expect(requestHost(undefined, 'https://shop.example:8443/a?b')).toBe('shop.example')
  })

  test('a sandboxed frame has no origin of its own: its referrer counts', () => {
    expect(requestHost('null', 'https://shop.example/a')).toBe('shop.example')
    expect(requestHost('null', undefined)).toBeUndefined()
  })

  test('ports, case and garbage do not matter', () => {
    expect(requestHost('http://LOCALHOST:8080', undefined)).toBe('localhost')
    expect(requestHost('not a url', 'nor this')).toBeUndefined()
  })

  test('only pages of the web count', () => {
    for (const scheme of ['ftp', 'ws', 'file', 'chrome-extension', 'javascript'])
      expect(requestHost(`${scheme}://shop.example`, undefined)).toBeUndefined()
  })
})

test('a domain owns itself and its subdomains, not names that merely end alike', () => {
  expect(belongsTo('shop.example', 'shop.example')).toBe(true)
  expect(belongsTo('a.b.shop.example', 'shop.example')).toBe(true)
  expect(belongsTo('evilshop.example', 'shop.example')).toBe(false)
  expect(belongsTo('shop.example.evil', 'shop.example')).toBe(false)
})
