import { expect, inject, onTestFinished, test } from 'vitest'
import { openPool } from './pools.ts'

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
