import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

test.each([
  ['https://lists.example/vpn.txt?key=s3cret#part', 'https://lists.example/vpn.txt'],
  ['http://user:s3cret@lists.example:8080/a/b', 'http://lists.example:8080/a/b'],
  ['https://lists.example', 'https://lists.example/'],
  ['file:///srv/private/offices.csv', 'file:offices.csv'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutSecrets(url)).toBe(shown)
})
