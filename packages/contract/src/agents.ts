import { z } from 'zod'

/** What the operator of an agent says that it does. */
export const AGENT_CATEGORIES = [
  'assistant',
  'agent_browser',
  'browser_service',
  'shopping',
  'search_crawler',
  'ai_search',
  'ai_training',
  'archive',
  'seo',
  'advertising',
  'monitor',
  'preview',
  'feed',
  'security',
  'accessibility',
  'tool',
] as const
export type AgentCategory = (typeof AGENT_CATEGORIES)[number]

export const AGENT_STANDINGS = ['verified', 'signed', 'spoofed', 'unknown'] as const
export const AGENT_PURPOSES = ['browse', 'pay'] as const
export const AGENT_ACTIONS = ['allow', 'challenge', 'limit', 'deny'] as const
export type AgentAction = (typeof AGENT_ACTIONS)[number]

/** The signature of an agent's request. */
export const AgentSignature = z
  .object({
    state: z.string().describe('`valid`, `pending` while the keys are fetched, or `refused`'),
    reason: z.string().optional().describe('Why it was refused, such as `wrong_signature` or `expired`'),
    directory: z.string().optional().describe('Origin that publishes the key'),
    key_id: z.string().optional().describe('Name of the key, as a rule its thumbprint'),
    tag: z.string().optional().describe('Kind of signature, such as `web-bot-auth`'),
    components: z.array(z.string()).describe('Parts of the request that it covers: the scope of the proof'),
    created_at: z.string().optional().describe('RFC 3339, UTC'),
    expires_at: z.string().optional().describe('RFC 3339, UTC'),
  })
  .describe('The signature of an agent’s request (RFC 9421)')

/** A program that says what it is, and what vouches for that. */
export const DeclaredAgent = z
  .object({
    identity: z
      .string()
      .describe(
        '`verified`: an agent of the catalogue, proven by its operator’s key or address; `signed`: a valid signature of an operator that the catalogue does not have; `spoofed`: the address is not one of the claimed operator’s; `unknown`: neither proven nor refuted',
      ),
    id: z.string().optional().describe('Its entry in the catalogue'),
    name: z.string().describe('Name of the agent, or of what it claims to be'),
    operator: z.string().optional().describe('Who runs it, by the catalogue'),
    category: z.string().optional().describe('Kind of agent, by the catalogue; more may be added'),
    purpose: z
      .string()
      .optional()
      .describe('`browse` or `pay`, where the signature has the tag of a commerce profile'),
    claims: z
      .array(
        z.object({
          by: z.string().describe('`user_agent` or `signature`'),
          value: z.string().describe('What is claimed'),
        }),
      )
      .describe('What the request says about its sender. Anybody can say it'),
    proof: z
      .string()
      .optional()
      .describe('What proves it: `signature`, `published_range` or `reverse_dns`; missing without proof'),
    signature: AgentSignature.optional(),
  })
  .describe('A program that says what it is, and what vouches for that')
export type DeclaredAgent = z.infer<typeof DeclaredAgent>

const RULES_MAX = 100
const PER_MINUTE_MAX = 60_000

/** What to do with requests of agents. All given conditions must hold. */
export const AgentRule = z
  .strictObject({
    action: z
      .enum(AGENT_ACTIONS)
      .describe('What to do. `limit` allows so many requests and refuses the rest'),
    per_minute: z
      .int()
      .min(1)
      .max(PER_MINUTE_MAX)
      .optional()
      .describe('For `limit`: requests of each verified agent in a minute; all others share one count'),
    identity: z
      .array(z.enum(AGENT_STANDINGS))
      .min(1)
      .optional()
      .describe(
        'Any of these. Without it, `allow` and `limit` apply to verified agents only, `deny` and `challenge` to all',
      ),
    category: z.array(z.enum(AGENT_CATEGORIES)).min(1).optional().describe('Any of these'),
    operator: z.string().min(1).max(80).optional().describe('Who runs the agent, as in the catalogue'),
    agent: z.string().min(1).max(80).optional().describe('One agent, by its entry in the catalogue'),
    purpose: z.enum(AGENT_PURPOSES).optional().describe('Tag of a commerce profile'),
    path: z
      .string()
      .max(500)
      .regex(/^\/[^*]*\*?$/, 'a path, or the beginning of one with a * at its end')
      .optional()
      .describe(
        'Path of the request in its usual spelling; with `*` at its end, everything that begins like it. `deny` and `challenge` apply in any capitals and to escaped slashes',
      ),
  })
  .refine(({ action, per_minute }) => (action === 'limit') === (per_minute !== undefined), {
    path: ['per_minute'],
    error: 'is required for limit, and allowed for no other action',
  })
  .describe('What to do with requests of agents. All given conditions must hold')
export type AgentRule = z.infer<typeof AgentRule>

export const AgentRules = z.array(AgentRule).max(RULES_MAX).describe('The first rule that applies decides')
