import { Client } from 'pg'
import { type Summary, summarize } from '../lib/samples.ts'

const TURNS = 150

/**
 * How long a commit holds the row of its domain, in ms: from taking it until the commit is on disk. The commit changes a
 * row of the domain's visits as well, so that on a cluster two machines take part.
 */
export async function measureTurn(url: string): Promise<Summary> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ domain_id: number; request_id: Buffer }>(
    'select domain_id, request_id from request_ids limit 1',
  )
  const [visit] = rows
  if (!visit) throw new Error('there is no visit')
  const turnsMs: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    await client.query('begin')
    // As in the server's commits, so that a cluster prepares what it commits.
    await client.query("delete from recent_requests where request_id = ''")
    await client.query(
      'update request_ids set created_at = created_at where domain_id = $1 and request_id = $2',
      [visit.domain_id, visit.request_id],
    )
    const startedAt = performance.now()
    await client.query('update domains set remaining = remaining - 1 where id = $1', [visit.domain_id])
    await client.query('commit')
    turnsMs.push(performance.now() - startedAt)
  }
  await client.end()
  return summarize(turnsMs)
}
