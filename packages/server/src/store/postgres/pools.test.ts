import { expect, inject, onTestFinished, test } from 'vitest'
import { openPool, withTransaction } from './pools.ts'

test('options in the URL are kept beside the settings of the pool, which win', async () => {
  const url = new URL(inject('testPostgres')?.adminUrl ?? '')
  url.searchParams.set('options', '-c synchronous_commit=off -c search_path=elsewhere')
  const pool = openPool(url.href, 'commits')
  onTestFinished(() => pool.end())
  const { rows } = await pool.query(
    `select current_setting('synchronous_commit') as commits, current_setting('search_path') as path,
       current_setting('enable_seqscan') as scans`,
  )
  expect(rows).toEqual([{ commits: 'on', path: 'elsewhere', scans: 'off' }])
})

test('a session waits no longer for a lock than its client waits for the answer', async () => {
  const pool = openPool(inject('testPostgres')?.adminUrl ?? '', 'writes')
  onTestFinished(() => pool.end())
  const { rows } = await pool.query(`select current_setting('lock_timeout') as waits`)
  expect(rows).toEqual([{ waits: '1min' }])
})

test('a connection to a server that only reads now is not kept', async () => {
  const pool = openPool(inject('testPostgres')?.adminUrl ?? '', 'commits')
  onTestFinished(() => pool.end())
  const session = async () => (await pool.query('select pg_backend_pid() as session')).rows
  const before = await session()
  await pool.query('set default_transaction_read_only = on')
  const writing = withTransaction(pool, (client) => client.query('create table never_made (id int)'))
  await expect(writing).rejects.toThrow('read-only transaction')
  expect(await session()).not.toEqual(before)
})
