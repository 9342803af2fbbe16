import {
  type Explanation,
  type HistoryRow,
  namesAccount,
  namesOne,
  type VisitVelocity,
} from '@inkling/contract'
import { type Client, verdictOfRow } from '@inkling/sdk'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { answer } from './answer.ts'
import { NO_EXPLANATION, namedId, READING_TOOL } from './tool-parts.ts'

export function getDecisions(server: McpServer, client: Client): void {
  server.registerTool(
    'get_decisions',
    {
      title: 'Get the decisions about a visit',
      description:
        'What the backend of the site was told to do about one visit, once for each purpose: the action, the rules that were met or failed with their versions, the reasons, the account in question, and what it would be since later evidence came. Rules in shadow decided nothing.',
      inputSchema: { request_id: namedId('Request ID of the identification') },
      annotations: READING_TOOL,
    },
    ({ request_id }, { signal }) =>
      answer(async () => {
        const explanation = await client.explain(request_id, { signal })
        if (!explanation) return { request_id, meaning: NO_EXPLANATION }
        const { score, decisions = [] } = explanation
        if (decisions.length === 0) return { request_id, score_now: score, decisions, meaning: NONE_DECIDED }
        return { request_id, score_now: score, decisions: decisions.map(presentDecision) }
      }),
  )
}

const NONE_DECIDED =
  'No decision about this visit is stored: nobody asked for one, or the question was refused. That does not mean that it was allowed.'

type Decision = NonNullable<Explanation['decisions']>[number]

const presentDecision = ({ changed, request_id: _request, ...decided }: Decision): object => ({
  ...decided,
  would_be_by_later_evidence: changed,
})

export function getListsAndLabels(server: McpServer, client: Client): void {
  server.registerTool(
    'get_lists_and_labels',
    {
      title: 'Get the list entries and labels of a visit',
      description:
        'The entries of the allow, deny and watch list that one visit matched at its time, and the labels (such as fraud, chargeback or legitimate) about its request, session, cookie, device, visitor, account or addresses as they are now. Neither changes the score.',
      inputSchema: { request_id: namedId('Request ID of the identification') },
      annotations: READING_TOOL,
    },
    ({ request_id }, { signal }) =>
      answer(async () => {
        const explanation = await client.explain(request_id, { signal })
        if (!explanation) return { request_id, meaning: NO_EXPLANATION }
        const { lists = [], labels = [] } = explanation
        return { request_id, list_entries: lists, labels }
      }),
  )
}

/** What velocity is counted by, for each identifier that finds the visits. */
const SUBJECTS = {
  request_id: ['device', 'visitor', 'cookie', 'account', 'address', 'prefix'],
  device_id: ['device'],
  visitor_id: ['visitor'],
  cookie_id: ['cookie'],
  user_hid: ['account'],
  ip: ['address', 'prefix'],
} as const satisfies Record<string, readonly (keyof VisitVelocity)[]>

type CountedBy = keyof typeof SUBJECTS
const COUNTED_BY = Object.keys(SUBJECTS) as [CountedBy, ...CountedBy[]]

export function getVelocity(server: McpServer, client: Client): void {
  server.registerTool(
    'get_velocity',
    {
      title: 'Get velocity',
      description:
        'How often the device, visitor, cookie, account, address and network of a visit, or one of them by itself, were seen, and with how many different devices, accounts, addresses, countries and cookies: over 5 minutes (m5), 1 hour (h1), 24 hours (h24) and 7 days (d7). The counts are those right after the visit, or after the newest visit of what is asked for.',
      inputSchema: {
        by: z.enum(COUNTED_BY).describe('What to count; request_id for all that one visit has'),
        value: z
          .string()
          .min(1)
          .max(1_000)
          .describe('Its value: a UUID, a dotted IPv4 address, or the exact user_hid'),
      },
      annotations: READING_TOOL,
    },
    ({ by, value }, { signal }) =>
      answer(async () => {
        const names = by === 'user_hid' ? namesAccount(value) : namesOne(value)
        if (!names) return { by, value, meaning: 'This value names nobody, so it is not counted.' }
        const visit = await newestVisit(client, by, value, signal)
        const explanation = visit && (await client.explain(visit.request_id, { signal }))
        if (!visit || !explanation) return { by, value, meaning: NOT_COUNTED }
        const { velocity = {} } = explanation
        const counted = SUBJECTS[by].filter((subject) => velocity[subject])
        const of = { by, value, visit: visit.request_id, counted_right_after: visit.created_at }
        if (counted.length === 0) return { ...of, meaning: 'This visit was not counted for it.' }
        return { ...of, velocity: Object.fromEntries(counted.map((subject) => [subject, velocity[subject]])) }
      }),
  )
}

const NOT_COUNTED = 'No counted visit of this domain has it, or none of the newest.'

/** Visits over the rate limit are not counted. */
const NEWEST_ROWS = 20

async function newestVisit(
  client: Client,
  by: CountedBy,
  value: string,
  signal: AbortSignal,
): Promise<HistoryRow | undefined> {
  const { data } = await client.history.search(by, value, { limit: NEWEST_ROWS, signal })
  return data.find((row) => verdictOfRow(row).status === 'scored')
}
