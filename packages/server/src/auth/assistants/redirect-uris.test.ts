import { expect, test } from 'vitest'
import { isAllowedRedirect, isRegisteredRedirect, redirectTarget } from './redirect-uris.ts'

test('codes go over TLS, to this machine, or to a program by a scheme of its own', () => {
  for (const fine of [
    'https://claude.example/api/callback',
    'http://127.0.0.1:8123/cb',
    'http://[::1]/cb',
    'http://localhost/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.assistant:/cb',
  ])
    expect(isAllowedRedirect(fine), fine).toBe(true)
  for (const wrong of [
    'http://shop.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'javascript:alert(1)',
    'JaVaScRiPt://x.y/%0aalert(1)',
    'data:text/html,x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'unknown://x',
    'https://a.example/cb#part',
    'https://user@a.example/cb',
    'https://a.example/\u202ecb',
    ' https://a.example/cb',
    `https://a.example/${'a'.repeat(2_000)}`,
    '/cb',
    '',
  ])
    expect(isAllowedRedirect(wrong), wrong).toBe(false)
})

test('an address is compared as text; on this machine alone the port is free', () => {
  const registered = ['https://a.example/cb', 'http://127.0.0.1/cb?x=1']
  for (const own of ['https://a.example/cb', 'http://127.0.0.1:4000/cb?x=1', 'http://127.0.0.1/cb?x=1'])
    expect(isRegisteredRedirect(own, registered), own).toBe(true)
  for (const other of [
    'https://a.example/cb/',
    'https://a.example/cb?x=1',
    'https://a.example:444/cb',
    'https://a.example/x/../cb',
    'https://A.example/cb',
    'https://a.example.evil.example/cb',
    'http://127.0.0.1:4000/cb',
    'http://127.0.0.1:4000/other?x=1',
    'http://localhost:4000/cb?x=1',
    'https://127.0.0.1:4000/cb?x=1',
  ])
    expect(isRegisteredRedirect(other, registered), other).toBe(false)
})

test('a person sees the host or the program that gets the answer', () => {
  expect(redirectTarget('https://claude.example/cb')).toEqual({
    sentTo: 'claude.example',
    onThisMachine: false,
  })
  expect(redirectTarget('http://127.0.0.1:1/cb')).toEqual({ sentTo: '127.0.0.1', onThisMachine: true })
  expect(redirectTarget('cursor://a.b/cb')).toEqual({ sentTo: 'cursor:', onThisMachine: true })
})
