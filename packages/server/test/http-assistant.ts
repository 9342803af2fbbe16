import {
  type AccountAnswer,
  AssistantAsks,
  AssistantRedirect,
  type AssistantScope,
  ConnectedAssistants,
} from '@inkling/contract/account'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/** What a client of the SDK remembers of one server. */
export interface AssistantMemory {
  client?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  verifier?: string
  /** Where it sent the browser of its user. */
  sentTo?: URL
}

export const CALLBACK = 'http://127.0.0.1:33418/callback'

const providerOf = (memory: AssistantMemory, scope?: string): OAuthClientProvider => ({
  redirectUrl: CALLBACK,
  clientMetadata: {
    client_name: 'Desk assistant',
    redirect_uris: ['http://127.0.0.1:1/callback'],
    ...(scope !== undefined && { scope }),
  },
  clientInformation: () => memory.client,
  saveClientInformation(client) {
    memory.client = client
  },
  tokens: () => memory.tokens,
  saveTokens(tokens) {
    memory.tokens = tokens
  },
  redirectToAuthorization(url) {
    memory.sentTo = url
  },
  saveCodeVerifier(verifier) {
    memory.verifier = verifier
  },
  codeVerifier: () => memory.verifier ?? '',
})

const transportTo = (url: string, memory: AssistantMemory): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: providerOf(memory) })

/** Sends a request to the account API as the person whose assistant it is. */
export type Person = (method: string, path: string, body?: object) => Promise<Response>

export const requestIn = (sentTo: URL): Record<string, string> => Object.fromEntries(sentTo.searchParams)

/** The person reads what the assistant asks for, agrees, and the browser takes the code back. */
export async function agree(
  person: Person,
  sentTo: URL,
  allow: { domain: string; scopes: AssistantScope[] },
): Promise<{ asks: AccountAnswer<'readAssistantRequest'>; back: URL }> {
  const request = requestIn(sentTo)
  const asks = AssistantAsks.parse(
    await (await person('POST', '/account/me/assistants/request', request)).json(),
  )
  const answer = await person('POST', '/account/me/assistants', { request, allow })
  if (!answer.ok) throw new Error(await answer.text())
  return { asks, back: new URL(AssistantRedirect.parse(await answer.json()).redirect_to) }
}

/** An assistant of the SDK that has registered and sent its person to the dashboard. */
export async function startOverHttp(url: string): Promise<{ memory: AssistantMemory; sentTo: URL }> {
  const memory: AssistantMemory = {}
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(asTransport(transportTo(url, memory))).catch((error: unknown) => {
    if (!(error instanceof UnauthorizedError)) throw error
  })
  if (!memory.sentTo) throw new Error('the assistant did not ask its person')
  return { memory, sentTo: memory.sentTo }
}

/** The assistant takes its code from the address to which the browser came back. */
export async function letIn(url: string, memory: AssistantMemory, back: URL): Promise<Client> {
  await transportTo(url, memory).finishAuth(back.searchParams.get('code') ?? '')
  return reconnect(url, memory)
}

/** An assistant of the SDK that its person has let in, and what it remembers. */
export async function connectOverHttp(
  url: string,
  person: Person,
  allow: { domain: string; scopes: AssistantScope[] },
): Promise<{ client: Client; memory: AssistantMemory; back: URL }> {
  const { memory, sentTo } = await startOverHttp(url)
  const { back } = await agree(person, sentTo, allow)
  return { client: await letIn(url, memory, back), memory, back }
}

/** The same assistant, started again with what it remembers. */
export async function reconnect(url: string, memory: AssistantMemory): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(asTransport(transportTo(url, memory)))
  return client
}

/** The SDK's own types disagree about optional properties. */
const asTransport = (transport: StreamableHTTPClientTransport) =>
  transport as Parameters<Client['connect']>[0]

export async function connectedOf(person: Person) {
  return ConnectedAssistants.parse(await (await person('GET', '/account/me/assistants')).json())
}
