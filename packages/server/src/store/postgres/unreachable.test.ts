import { expect, test } from 'vitest'
import { runCli } from '../../../test/run-cli.ts'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { unreachable } from './unreachable.ts'

const PASSWORD = 'correct-horse'
const place = { url: `postgres://somebody:${PASSWORD}@db.shop.example/inkling`, setting: 'DATABASE_URL' }
const failure = (message: string, fields: object) => Object.assign(new Error(message), fields)

test.each([
  [
    failure('connect ECONNREFUSED 10.0.0.7:5432', { code: 'ECONNREFUSED' }),
    'does not answer: connect ECONNREFUSED',
  ],
  [failure('timeout exceeded when trying to connect', {}), 'does not answer: timeout exceeded'],
  [
    Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]), { code: 'ECONNREFUSED' }),
    'does not answer: Error: connect ECONNREFUSED ::1',
  ],
  [
    failure('password authentication failed for user "somebody"', { code: '28P01', severity: 'FATAL' }),
    'refuses the user, the password or this machine (28P01)',
  ],
  [
    failure('database "inkling" does not exist', { code: '3D000', severity: 'FATAL' }),
    'cannot be used: database "inkling" does not exist (3D000)',
  ],
])('%s is told with the place of the database, and without its user', (error, problem) => {
  const told = unreachable(error, place)
  expect(told).toMatchObject({ code: 'INK_DATABASE_UNAVAILABLE', cause: error })
  const { message } = told as Error
  expect(message).toContain(`the database at DATABASE_URL (db.shop.example:5432) ${problem}`)
  expect(message).not.toMatch(/somebody|correct-horse/)
})

test('a socket is named by its folder, and other errors stay as they are', () => {
  const url = 'postgres:///inkling?host=/run/postgresql'
  const missing = failure('connect ENOENT', { code: 'ECONNREFUSED' })
  expect(unreachable(missing, { url, setting: '--to' })).toMatchObject({
    message: expect.stringContaining('at --to (/run/postgresql) does not answer'),
  })
  const wrong = failure('relation "x" does not exist', { code: '42P01', severity: 'ERROR' })
  expect(unreachable(wrong, place)).toBe(wrong)
})

test.each([[['serve']], [['domain', 'list']], [['doctor', '--json']]])(
  '%j without its PostgreSQL names the setting, and the code of the error',
  async (args) => {
    const { status, stdout, stderr } = await runCli(args, {
      DATA_DIR: await temporaryDirectory(),
      DATABASE_URL: `postgres://somebody:${PASSWORD}@127.0.0.1:1/none`,
      FEEDS: 'off',
    })
    expect(status).toBe(1)
    expect(stdout + stderr).toContain('the database at DATABASE_URL (127.0.0.1:1) does not answer: ')
    expect(stdout + stderr).not.toMatch(/somebody|correct-horse/)
    if (!args.includes('doctor')) expect(stderr).toContain('(INK_DATABASE_UNAVAILABLE)')
  },
)
