import type { Client } from '@inkling/sdk'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { answer } from '../answer.ts'
import { presentExplanation } from '../present-explanation.ts'
import { requestId } from './arguments.ts'
import { READ_ONLY } from './read-only.ts'

export function registerExplainScore(server: McpServer, client: Client): void {
  server.registerTool(
    'explain_score',
    {
      title: 'Explain a score',
      description:
        'Why one identification was scored as it was: each signal with its points and evidence, what was suppressed and by what, what was checked and fine, what could not be known, and what the server saw of the connection.',
      inputSchema: { request_id: requestId },
      annotations: READ_ONLY,
    },
    ({ request_id }, { signal }) =>
      answer(async () => {
        const explanation = await client.explain(request_id, { signal })
        if (explanation) return presentExplanation(explanation)
        return { request_id, meaning: 'There is no such identification in this domain, or not yet.' }
      }),
  )
}
