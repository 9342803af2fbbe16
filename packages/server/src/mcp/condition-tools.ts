import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer } from './answer.ts'
import { READING_TOOL } from './tool-parts.ts'

/** The language of conditions. It needs no server: neither rules nor visits are read. */
export interface ConditionLanguage {
  check(condition: string): { valid: boolean; problem?: { message: string; line: number; column: number } }
  facts(): readonly { name: string; type: string; nullable: boolean }[]
}

export function checkConditionTool(server: McpServer, { check }: ConditionLanguage): void {
  server.registerTool(
    'check_condition',
    {
      title: 'Check a condition',
      description:
        'Whether a text is a valid condition of a decision rule (a CEL expression over the facts of list_facts), with its types, and what is wrong at which line and column. Nothing is saved or evaluated.',
      inputSchema: { condition: z.string().max(10_000).describe('For example: score >= 30 && flags.vpn') },
      annotations: READING_TOOL,
    },
    ({ condition }) => answer(async () => check(condition)),
  )
}

export function listFactsTool(server: McpServer, { facts }: ConditionLanguage): void {
  server.registerTool(
    'list_facts',
    {
      title: 'List the facts of conditions',
      description:
        'The facts that conditions of decision rules may use, with their types. Facts of one group have a common beginning, such as identity. or velocity.device.accounts.; name it to see them.',
      inputSchema: {
        starts_with: z
          .string()
          .max(100)
          .default('')
          .describe('Beginning of the names; all groups without it'),
      },
      annotations: READING_TOOL,
    },
    ({ starts_with }) =>
      answer(async () => {
        const found = facts().filter(({ name }) => name.startsWith(starts_with))
        const groups = Map.groupBy(found, ({ name }) => nextPart(name, starts_with.length))
        return {
          total: found.length,
          facts: Object.fromEntries(
            [...groups].map(([name, [fact, ...more]]) => [
              name,
              name.endsWith('.') ? `a group of ${more.length + 1}` : typeOf(fact),
            ]),
          ),
        }
      }),
  )
}

/** The name up to the next dot, which it keeps. */
function nextPart(name: string, from: number): string {
  const dot = name.indexOf('.', from)
  return dot < 0 ? name : name.slice(0, dot + 1)
}

const typeOf = (fact: { type: string; nullable: boolean } | undefined): string =>
  fact ? `${fact.type}${fact.nullable ? ' or null' : ''}` : ''
