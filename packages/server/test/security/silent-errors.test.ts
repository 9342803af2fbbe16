import { ACCOUNT_OPERATIONS, type AccountOperation } from '@inkling/contract/account'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type RawRequest, rawRequest } from '../contract/raw-request.ts'
import { postSnapshot } from '../running-server.ts'
import { CREDENTIAL_TABLE, SOME_ID } from './credential-table.ts'
import { startGuardedServer } from './guarded-server.ts'

/** Signs of a stack, a file, a module or the database. */
const LEAK =
  /node:|\.[jt]s[:"]|\/packages\/|\/src\/|\n\s+at |node_modules|SQLITE|sqlite|postgres|kysely|ECONN|Error|SELECT |INSERT |UPDATE |select |insert |no such table|relation |_gone/

const TABLES = ['identifications', 'audit', 'users', 'endpoints', 'domain_rules'] as const

test('the response to a database failure has no detail', async () => {
  const server = await startGuardedServer({ settings: { LOG_LEVEL: 'silent' } })
  onTestFinished(server.close)
  // Renamed during the test, and restored so that the server can stop.
  const rename = async (from: string, to: string) =>
    sql`ALTER TABLE ${sql.ref(from)} RENAME TO ${sql.ref(to)}`.execute(server.store.writes)
  for (const table of TABLES) await rename(table, `${table}_gone`)

  const { keys, tokens } = server
  const asked: RawRequest[] = Object.values(CREDENTIAL_TABLE).flatMap(({ credential, ask }) =>
    credential === 'nothing'
      ? []
      : [keys.public_key, keys.secret_key, keys.api_key].flatMap((key) => ask(key, server)),
  )
  for (const operation of Object.values(ACCOUNT_OPERATIONS as Record<string, AccountOperation>))
    asked.push({
      method: operation.method,
      path: operation.path
        .replace('{domain}', 'shop.example')
        .replace('{kind}', 'api')
        .replace('{request_id}', SOME_ID)
        .replace(/\{\w+_id\}/, '1'),
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
      ...(operation.method !== 'GET' && { body: '{}' }),
    })
  let failed = 0
  for (const request of asked) {
    const { status, text, headers } = await rawRequest(server, request)
    const label = `${request.method ?? 'GET'} ${request.path} answers ${status} ${text}`
    expect(LEAK.test(text), label).toBe(false)
    expect(LEAK.test(JSON.stringify(headers)), label).toBe(false)
    if (status < 500) continue
    failed += 1
    expect(Object.keys(JSON.parse(text)), label).toEqual(['error'])
  }
  const ingest = await postSnapshot(server, SOME_ID)
  expect(ingest.status).toBeGreaterThanOrEqual(500)
  expect(await ingest.text()).not.toMatch(LEAK)
  // The test would prove nothing if the database still worked.
  expect(failed).toBeGreaterThan(10)

  for (const table of TABLES) await rename(`${table}_gone`, table)
})
