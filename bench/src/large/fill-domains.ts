import { Client } from 'pg'
import type { StoreOptions } from '../../../packages/server/src/store/open-store.ts'
import { openStore } from '../../../packages/server/src/store/open-store.ts'
import { makePartitions, WEEK_MS } from '../../../packages/server/src/store/postgres/partitions.ts'
import { progress } from '../lib/progress.ts'
import { TYPICAL_VERDICT } from '../lib/typical-verdict.ts'
import { ROWS_OF } from './made-identifiers.ts'

/** Rows in one statement. */
const PIECE = 100_000
const CONNECTIONS = 2
const DAYS = 90
const DAY_MS = 86_400_000

interface Fill {
  /** Their numbers. */
  domains: readonly number[]
  rowsOfDomain: number
}

/** Fills every domain with the same number of made rows of the last 90 days, in a database that may be split. */
export async function fillDomains(
  place: StoreOptions & { databaseUrl: string },
  { domains, rowsOfDomain }: Fill,
): Promise<void> {
  const firstMs = Date.now() - DAYS * DAY_MS
  const store = await openStore(place)
  for (let atMs = firstMs; atMs < Date.now(); atMs += WEEK_MS) await makePartitions(store.writes, atMs)
  await store.close()

  const pieces = domains.flatMap((domainId) =>
    Array.from({ length: Math.ceil(rowsOfDomain / PIECE) }, (_, index) => ({
      domainId,
      from: index * PIECE,
      to: Math.min(rowsOfDomain, (index + 1) * PIECE) - 1,
    })),
  )
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(place.databaseUrl)))
  const [client] = clients
  const indexes = await dropIndexes(client as Client)
  const waiting = pieces.entries()
  const step = (DAYS * DAY_MS) / rowsOfDomain
  await Promise.all(
    clients.map(async (each) => {
      for (const [index, { domainId, from, to }] of waiting) {
        await each.query(insertText(domainId, { from, to, firstMs, step }))
        await each.query(`insert into request_ids (domain_id, request_id, created_at)
          select ${domainId}, ${uuid('request', domainId)}, ${timeOf(firstMs, step)} from generate_series(${from}, ${to}) as n`)
        progress(`${(index * PIECE).toLocaleString('en')} rows`)
      }
    }),
  )
  for (const [index, definition] of indexes.entries()) {
    progress(`index ${index + 1} of ${indexes.length}`)
    await client?.query(definition.replace(' ON ONLY ', ' ON '))
  }
  progress('vacuum')
  await client?.query('vacuum analyze identifications')
  await client?.query('vacuum analyze request_ids')
  await Promise.all(clients.map((each) => each.end()))
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query("set maintenance_work_mem = '1GB'")
  return client
}

/** @returns how to make them again */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'identifications'::regclass and not indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

const timeOf = (firstMs: number, step: number): string => `${firstMs} + (n * ${step.toFixed(6)})::bigint`

/** The bytes of a UUID of version 4 that follows from its name, like those of `made-identifiers.ts`. */
const uuid = (name: keyof typeof ROWS_OF, domainId: number): string =>
  `decode(overlay(overlay(${hash(name, domainId)} placing '4' from 13) placing '8' from 17), 'hex')`
const hash = (name: keyof typeof ROWS_OF, domainId: number): string =>
  `md5('${name} ${domainId} ' || n / ${ROWS_OF[name]})`

const insertText = (
  domainId: number,
  { from, to, firstMs, step }: { from: number; to: number; firstMs: number; step: number },
): string => `
  insert into identifications (
    domain_id, request_id, session_id, cookie_id, device_id, visitor_id, user_hid, created_at, ver, host, ip,
    os, browser, device_type, country, connection_type, score, flags, verdict,
    entry_url, utm_source, traffic_channel, traffic_channel_group, traffic_reason
  )
  select
    ${domainId}, ${uuid('request', domainId)}, ${uuid('session', domainId)}, ${uuid('cookie', domainId)},
    ${uuid('device', domainId)}, ${uuid('visitor', domainId)}, 'account-' || n / ${ROWS_OF.user},
    ${timeOf(firstMs, step)}, ${timeOf(firstMs, step)}, 'bench.example',
    ('x' || substr(${hash('address', domainId)}, 1, 8))::bit(32)::bigint,
    'Windows', 'Chrome', 'desktop', 'Germany', 'direct', n % 100, 0, '${TYPICAL_VERDICT}',
    'https://bench.example/pricing?utm_source=news', 'news', 'Other', 'Other', 'utm_match'
  from generate_series(${from}, ${to}) as n`
