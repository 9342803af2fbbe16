import { expect, test } from 'vitest'
import { createBasePath } from './base-path.ts'

const atRoot = createBasePath(['https://a.example', 'https://a.example/i', 'https://b.example/i/long'])

test.each([
  ['/agent.js?x=1', '/agent.js?x=1'],
  ['/i/agent.js?x=1', '/agent.js?x=1'],
  ['/i/long/agent.js', '/agent.js'],
  ['/i', '/i'],
  ['/island/agent.js', '/island/agent.js'],
  ['/i/%2F/raw', '/%2F/raw'],
])('%s becomes %s', (url, root) => {
  expect(atRoot(url)).toBe(root)
})
