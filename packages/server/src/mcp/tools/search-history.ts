import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { type Client, namesAccount, namesOne } from '@inkling/sdk'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer } from '../answer.ts'
import { presentBriefly } from '../present-verdict.ts'
import { READ_ONLY } from './read-only.ts'

const ROWS_MAX = 50
const ROWS_DEFAULT = 10

const SHARED = 'This value names nobody: strangers share it, and these rows have nothing else in common.'

export function registerSearchHistory(server: McpServer, client: Client): void {
  server.registerTool(
    'search_history',
    {
      title: 'Search identifications',
      description:
        'Identifications that share an identifier, newest first, a page at a time: ask again with next_offset for older ones.',
      inputSchema: {
        by: z.enum(SEARCH_TYPES).describe('Which identifier to search by; user_hid is the account'),
        value: z
          .string()
          .min(1)
          .max(1_000)
          .describe('Its value: a UUID, a dotted IPv4 address, or the exact user_hid'),
        limit: z.int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT).describe('Rows on the page'),
        offset: z.int().min(0).default(0).describe('Rows to leave out, from the newest on'),
      },
      annotations: READ_ONLY,
    },
    ({ by, value, limit, offset }, { signal }) =>
      answer(async () => {
        const { data, total } = await client.history.search(by, value, { limit, offset, signal })
        const next = offset + data.length
        return {
          total,
          ...(isShared(by, value) && { warning: SHARED }),
          identifications: data.map(presentBriefly),
          next_offset: data.length > 0 && next < total ? next : null,
        }
      }),
  )
}

const isShared = (by: SearchType, value: string): boolean =>
  by === 'user_hid' ? !namesAccount(value) : !namesOne(value)
