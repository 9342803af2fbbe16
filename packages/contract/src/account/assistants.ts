import { z } from 'zod'
import { NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

/** What an assistant may be allowed: to read, and to propose changes that a person then confirms. */
export const ASSISTANT_SCOPES = ['read', 'propose'] as const
export type AssistantScope = (typeof ASSISTANT_SCOPES)[number]
const ScopeField = z.enum(ASSISTANT_SCOPES)

/** The request of an assistant as it stands in the address of the consent page (RFC 6749, section 4.1.1). */
export const AssistantRequest = z
  .object({
    response_type: z.string().max(40).describe('Always `code`'),
    client_id: z.string().max(100).describe('ID from the registration of the assistant'),
    redirect_uri: z.string().max(2_000).describe('A registered address that gets the answer'),
    code_challenge: z.string().max(128).describe('SHA-256 of the verifier, in base64url (RFC 7636)'),
    code_challenge_method: z.string().max(10).describe('Always `S256`'),
    scope: z.string().max(200).optional().describe('What it asks for; all scopes without it'),
    state: z.string().max(2_000).optional().describe('Goes back to the assistant unchanged'),
    resource: z.string().max(2_000).optional().describe('URL of the MCP server (RFC 8707)'),
  })
  .describe('What an assistant asks for')
export type AssistantRequest = z.infer<typeof AssistantRequest>

export const AssistantAsks = z
  .object({
    name: z.string().describe('Name of the assistant, as it calls itself'),
    sent_to: z.string().describe('Where the answer goes: a host, or the scheme of a program'),
    on_this_machine: z.boolean().describe('Whether that is a program on the machine of the user'),
    scopes: z.array(ScopeField).describe('What it asks for'),
  })
  .describe('Who asks for access, and for what')
export type AssistantAsks = z.infer<typeof AssistantAsks>

export const AssistantConsent = z
  .strictObject({
    request: AssistantRequest,
    allow: z
      .strictObject({
        domain: z.string().max(253).describe('The only domain that it may use'),
        scopes: z.array(ScopeField).min(1).describe('What it may do, of what it asks for'),
      })
      .nullable()
      .describe('What it is allowed; null to refuse'),
  })
  .describe('The answer of the user')

export const AssistantRedirect = z
  .object({ redirect_to: z.string().describe('Where the browser goes next: back to the assistant') })
  .describe('The way back')

export const ConnectedAssistant = z
  .object({
    id: z.string().describe('ID of the connection'),
    name: z.string().describe('Name of the assistant, as it calls itself'),
    domain: z.string().describe('The domain that it may use'),
    scopes: z.array(ScopeField).describe('What it may do'),
    connected_at: Timestamp.describe('When the user allowed it'),
    used_at: Timestamp.nullable().describe('When it last asked for an access token; null before the first'),
    expires_at: Timestamp.describe('When it ends unless it is used'),
  })
  .describe('An assistant that acts for the user')
export type ConnectedAssistant = z.infer<typeof ConnectedAssistant>

export const ConnectedAssistants = z
  .object({
    url: z.string().describe('URL of the MCP server, by which an assistant is connected'),
    data: z.array(ConnectedAssistant).describe('Newest first'),
  })
  .describe('The assistants of the user')

const NO_ASSISTANT = { 404: 'no such assistant' } as const

export const ASSISTANT_OPERATIONS = {
  listAssistants: {
    method: 'GET',
    path: '/account/me/assistants',
    access: 'user',
    summary: 'List the assistants that are connected for you',
    answer: ConnectedAssistants,
  },
  readAssistantRequest: {
    method: 'POST',
    path: '/account/me/assistants/request',
    access: 'user',
    summary: 'Check the request of an assistant',
    description: 'Nothing is stored. A request that is wrong is refused, and the browser goes nowhere.',
    body: AssistantRequest,
    answer: AssistantAsks,
    errors: NO_ASSISTANT,
  },
  answerAssistant: {
    method: 'POST',
    path: '/account/me/assistants',
    access: 'user',
    proof: 'recent',
    summary: 'Allow or refuse what an assistant asks for',
    body: AssistantConsent,
    answer: AssistantRedirect,
    errors: NO_DOMAIN,
  },
  disconnectAssistant: {
    method: 'DELETE',
    path: '/account/me/assistants/{assistant_id}',
    access: 'user',
    summary: 'Disconnect an assistant',
    params: z.object({
      assistant_id: z
        .string()
        .regex(/^[0-9a-f]{1,32}$/, 'the ID of an assistant')
        .describe('ID of the connection'),
    }),
    answer: 'nothing',
    errors: NO_ASSISTANT,
  },
} as const satisfies Record<string, AccountOperation>

const REQUEST: AssistantRequest = {
  response_type: 'code',
  client_id: 'c5b0e1d2a7f34c19',
  redirect_uri: 'http://127.0.0.1:33418/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scope: 'read propose',
  state: 'af0ifjsldkj',
  resource: 'https://inkling.brewline.example/mcp',
}

export const ASSISTANT_EXAMPLES: Examples<typeof ASSISTANT_OPERATIONS> = {
  listAssistants: {
    answer: {
      url: 'https://inkling.brewline.example/mcp',
      data: [
        {
          id: '7d1c02be94a1f3e6',
          name: 'Desk assistant',
          domain: 'brewline.example',
          scopes: ['read'],
          connected_at: '2026-10-08T14:25:00.000Z',
          used_at: '2026-10-08T15:02:11.000Z',
          expires_at: '2026-11-07T15:02:11.000Z',
        },
      ],
    },
  },
  readAssistantRequest: {
    body: REQUEST,
    answer: {
      name: 'Desk assistant',
      sent_to: '127.0.0.1',
      on_this_machine: true,
      scopes: ['read', 'propose'],
    },
  },
  answerAssistant: {
    body: { request: REQUEST, allow: { domain: 'brewline.example', scopes: ['read'] } },
    answer: {
      redirect_to: 'http://127.0.0.1:33418/callback?code=Xb3c&state=af0ifjsldkj',
    },
  },
  disconnectAssistant: {},
}
