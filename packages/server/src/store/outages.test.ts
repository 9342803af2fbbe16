import { expect, test } from 'vitest'
import { isOutage } from './outages.ts'

const failure = (code: string | undefined, message = 'failed') => Object.assign(new Error(message), { code })

test.each([
  ['SQLite: disk full', failure('13')],
  ['SQLite: busy', failure('5')],
  ['SQLite: busy, extended', failure('517')],
  ['SQLite: write failed', failure('778')],
  ['PostgreSQL: disk full', failure('53100')],
  ['PostgreSQL: shutting down', failure('57P01')],
  ['PostgreSQL: starting up', failure('57P03')],
  ['PostgreSQL: connection failure', failure('08006')],
  ['PostgreSQL: a changed password', failure('28P01')],
  ['PostgreSQL: a transaction that was idle, as in a process that stood still', failure('25P03')],
  ['connection refused', failure('ECONNREFUSED')],
  ['a lost connection', failure(undefined, 'Connection terminated unexpectedly')],
  ['the cause of another error', new Error('commit failed', { cause: failure('57P01') })],
])('%s is an outage', (_name, error) => expect(isOutage(error)).toBe(true))

test.each([
  ['SQLite: a constraint', failure('1555')],
  ['SQLite: wrong SQL', failure('1')],
  ['PostgreSQL: a constraint', failure('23505')],
  ['PostgreSQL: wrong SQL', failure('42601')],
  ['a bug', new TypeError('x is undefined')],
  ['no error at all', 'disk full'],
])('%s is no outage', (_name, error) => expect(isOutage(error)).toBe(false))
