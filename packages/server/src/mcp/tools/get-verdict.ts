import type { Client } from '@inkling/sdk'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { answer } from '../answer.ts'
import { presentVerdict } from '../present-verdict.ts'
import { requestId } from './arguments.ts'
import { READ_ONLY } from './read-only.ts'

const NO_ROW =
  'There is no such identification: it is not scored yet (that takes 10 seconds at most), belongs to ' +
  'another domain, or was never made. None of these means that the visit is clean.'

export function registerGetVerdict(server: McpServer, client: Client): void {
  server.registerTool(
    'get_verdict',
    {
      title: 'Get a verdict',
      description:
        'The latest verdict on one identification: score 0-100 with its band, signals and flags in words, and what is known of the visit.',
      inputSchema: { request_id: requestId },
      annotations: READ_ONLY,
    },
    ({ request_id }, { signal }) =>
      answer(async () => {
        const verdict = await client.verdict(request_id, { timeoutMs: 0, signal })
        if ('row' in verdict) return presentVerdict(verdict.row)
        return { request_id, status: verdict.status, meaning: NO_ROW }
      }),
  )
}
