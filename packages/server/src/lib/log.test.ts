import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newApiKey, newHexKey, newSigningSecret, newUserKey } from '../auth/keys.ts'
import { createLog, type LogPrivacy, throttledLog } from './log.ts'

function logged(privacy: LogPrivacy, fields: object): Record<string, unknown> {
  const lines: string[] = []
  createLog('info', privacy, { write: (line) => void lines.push(line) }).info(fields, 'said')
  return JSON.parse(lines.join('')) as Record<string, unknown>
}

const KEYS: readonly [string, string][] = [
  ['an API key', newApiKey()],
  ['a Secret Key', newHexKey()],
  ['a signing secret', newSigningSecret()],
  ['a user key', newUserKey()],
  ['a key of sealed verdicts', 'ivk_1f9d_5b1d0e0f5b1d0e0f5b1d0e0f5b1d0e0f'],
  [
    'a token of an assistant',
    'inkr_Zm9vYmFyYmF6cXV4Zm9vYg.Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm8',
  ],
]

test.each([
  ...KEYS.map(([name, key]) => [name, `refused ${key}.`, key]),
  ['a bearer token', 'Authorization: Bearer abc.def-ghi', 'abc.def-ghi'],
  ['a password of HTTP', 'authorization: basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['a JWT', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln is old', 'c2ln'],
  ['a password in a URL', 'postgres://inkling:pass-word@db.example/inkling', 'pass-word'],
  ['a query', 'https://list.example/ips?license=paid-for', 'paid-for'],
])('%s is not logged', (_name, text, secret) => {
  const { err, ...others } = logged('normal', {
    err: new Error(text, { cause: new Error(text) }),
    reason: text,
    reasons: [text],
  })
  expect(JSON.stringify(others)).not.toContain(secret)
  expect(JSON.stringify(err)).not.toContain(secret)
  expect(err).toMatchObject({ type: 'Error', message: expect.any(String), cause: { type: 'Error' } })
})

test('what an error carries beside its message is not logged: databases put rows there', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (user_hid)=(anna)' })
  const { err } = logged('normal', { err: error })
  expect(err).toMatchObject({ message: 'duplicate key', code: '23505' })
  expect(JSON.stringify(err)).not.toContain('anna')
})

test('strictly, an error is its type, code and place, also when its message looks like one', () => {
  const cause = new TypeError('connect ECONNREFUSED 203.0.113.7:443')
  const error = new RangeError('line\n    at anna (file:///anna.ts:1:1)\nanna', { cause })
  const line = logged('strict', { err: error, reason: 'anna', route: 'GET /snapshot/*', times: 3 })
  expect(JSON.stringify(line)).not.toMatch(/anna|203\.0/)
  expect(line).toMatchObject({
    route: 'GET /snapshot/*',
    times: 3,
    err: { type: 'RangeError', stack: expect.stringContaining('log.test.ts'), cause: { type: 'TypeError' } },
  })
})

test('a repeated message is logged at once, then once per interval with its count', () => {
  const clock = { nowMs: 0 }
  const lines: [string, number][] = []
  const say = throttledLog<string>(
    1_000,
    (said, times) => lines.push([said, times]),
    () => clock.nowMs,
  )
  say('a')
  for (clock.nowMs = 100; clock.nowMs < 1_000; clock.nowMs += 100) say('b')
  expect(lines).toEqual([['a', 1]])
  say('c')
  expect(lines).toEqual([
    ['a', 1],
    ['c', 10],
  ])
})

const FULL = '/dev/full'

test.skipIf(!existsSync(FULL))(
  'a log on a full disk ends nothing (skipped where there is no /dev/full)',
  async () => {
    const module = new URL('./log.ts', import.meta.url).href
    const script = `import { createLog } from '${module}'
    const log = createLog('info')
    for (let line = 0; line < 3; line++) log.info('cannot be written')
    setImmediate(() => console.log('still here'))`
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `"$0" --input-type=module-typescript --eval "$1" 2> ${FULL}`,
      process.execPath,
      script,
    ])
    expect(stdout).toBe('still here\n')
  },
)

test('a long text is cut before it is searched for secrets, and not within one', () => {
  const secret = `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(200)}.c2ln`
  const before = 'word '.repeat(1_620)
  const { reason } = logged('normal', { reason: 'eyJ-'.repeat(100_000) })
  // Searched whole, it would take minutes.
  expect(String(reason).length).toBeLessThan(10)
  expect(logged('normal', { reason: `${before}${secret}` }).reason).not.toContain('eyJ')
})
