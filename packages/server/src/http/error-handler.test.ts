import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { createErrorHandler } from './error-handler.ts'

async function answerTo(error: Error) {
  const lines: string[] = []
  const app = Fastify()
  app.setErrorHandler(
    createErrorHandler(pino({ level: 'debug' }, { write: (line) => void lines.push(line) })),
  )
  app.get('/', () => {
    throw error
  })
  const { statusCode, body } = await app.inject('/')
  return { statusCode, body, log: JSON.parse(lines[0] ?? '{}') }
}

test('an error that a caller may read is answered with its text', async () => {
  const { statusCode, body, log } = await answerTo(new AppError('INK_NOT_FOUND', 'no such domain'))
  expect([statusCode, JSON.parse(body), log.level]).toEqual([404, { error: 'no such domain' }, 20])
})

test.each([
  ['an error of the operator', new AppError('INK_CONFIG', 'cannot read /etc/inkling/key.pem')],
  ['any other error', new Error('cannot read /etc/inkling/key.pem')],
])('%s is a blank 500, and its text is in the log only', async (_name, error) => {
  const { statusCode, body, log } = await answerTo(error)
  expect(statusCode).toBe(500)
  expect(JSON.parse(body)).toEqual({ error: 'internal server error' })
  expect([log.level, log.err.message]).toEqual([50, 'cannot read /etc/inkling/key.pem'])
})

test.each([
  [new AppError('INK_SERVER_BUSY'), 'too many requests at once'],
  [
    new AppError('INK_DATABASE_UNAVAILABLE', undefined, { cause: new Error('locked') }),
    'the database is unavailable',
  ],
  [new AppError('INK_DISK_BUDGET'), 'a disk budget is used up'],
  [
    new AppError('INK_PROVIDER_UNREACHABLE', undefined, { cause: new Error('no route') }),
    'the identity provider cannot be reached',
  ],
])('a 503 is logged as what it is: %s', async (error, text) => {
  const { statusCode, log } = await answerTo(error)
  expect(statusCode).toBe(503)
  expect(log).toMatchObject({ level: 40, code: error.code, msg: text })
})
