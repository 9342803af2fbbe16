import type { HistoryRow } from '@inkling/contract'
import type { Client } from '@inkling/sdk'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer } from '../answer.ts'
import { deviceSummary } from '../device-summary.ts'
import { deviceId } from './arguments.ts'
import { READ_ONLY } from './read-only.ts'

const ROWS_MAX = 1_000
const ROWS_DEFAULT = 200

export function registerSummariseDevice(server: McpServer, client: Client): void {
  server.registerTool(
    'summarise_device',
    {
      title: 'Summarise a device',
      description:
        'What the latest identifications of one device say together: visits, accounts, countries, addresses, browsers, flags, and score bands by day. Values that name no account are left out of the accounts.',
      inputSchema: {
        device_id: deviceId,
        latest: z
          .int()
          .min(1)
          .max(ROWS_MAX)
          .default(ROWS_DEFAULT)
          .describe('How many of the newest identifications to look at'),
      },
      annotations: READ_ONLY,
    },
    ({ device_id, latest }, { signal }) =>
      answer(async () => {
        // One more than is looked at tells whether there are older ones.
        const rows = await take(client.history.rows('device_id', device_id, { signal }), latest + 1)
        return {
          device_id,
          ...deviceSummary(rows.slice(0, latest)),
          older_identifications_left_out: rows.length > latest,
        }
      }),
  )
}

async function take(rows: AsyncIterable<HistoryRow>, count: number): Promise<HistoryRow[]> {
  const taken: HistoryRow[] = []
  for await (const row of rows) {
    taken.push(row)
    if (taken.length === count) break
  }
  return taken
}
