import { Client } from 'pg'
import { createVisits } from '../load/create-visits.ts'
import { openLane } from '../load/open-lane.ts'
import type { VisitTemplate } from '../load/visit-templates.ts'

/** Not used by the rest of the load. */
const ADDRESS = '209.100.100.100'

/** Sends visits of one address to the nodes in turn. All are acknowledged, even over the limit. */
export async function visitInTurn(
  ports: readonly number[],
  templates: readonly VisitTemplate[],
  visits: number,
): Promise<void> {
  const nextVisit = createVisits(templates, { nextAddress: () => ADDRESS })
  const lanes = await Promise.all(ports.map(openLane))
  for (let number = 0; number < visits; number++) {
    const status = await lanes[number % lanes.length]?.send(nextVisit().bytes)
    if (status !== 200) throw new Error(`a visit over the limit was answered ${status}`)
  }
  for (const lane of lanes) lane.close()
}

/** Rows of that address: scored visits, and the markers that the address was over its limit. */
export async function rowsOfAddress(databaseUrl: string): Promise<{ scored: number; markers: number }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ marked: boolean; total: string }>(
    'select score > 100 as marked, count(*) as total from identifications where ip = $1 group by 1',
    [ADDRESS.split('.').reduce((number, octet) => number * 256 + Number(octet), 0)],
  )
  await client.end()
  const total = (wanted: boolean): number => Number(rows.find(({ marked }) => marked === wanted)?.total ?? 0)
  return { scored: total(false), markers: total(true) }
}

/** Number of simultaneous History requests that all nodes together answered. */
export async function askAtOnce(
  ports: readonly number[],
  apiKey: string,
  requests: number,
): Promise<{ allowed: number; seconds: number }> {
  const startedAt = performance.now()
  const statuses = await Promise.all(
    Array.from({ length: requests }, async (_, number) => {
      const port = ports[number % ports.length]
      const answer = await fetch(
        `http://127.0.0.1:${port}/api/v1/history/request_id/${crypto.randomUUID()}`,
        { headers: { authorization: `Bearer ${apiKey}` } },
      )
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  return {
    allowed: statuses.filter((status) => status === 200).length,
    seconds: (performance.now() - startedAt) / 1_000,
  }
}
