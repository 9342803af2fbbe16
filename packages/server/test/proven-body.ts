import { digestOf } from '@inkling/contract'
import type { TestServer } from './running-server.ts'

type Target = Pick<TestServer, 'url' | 'keys'>

/** Asks for a ticket like a page of the domain. */
export const askForTicket = (
  { url, keys }: Target,
  requestId: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}/ticket/${requestId}?publicKey=${keys.public_key}`, {
    headers: { origin: `https://${keys.domain}`, ...headers },
  })

/** A body with a ticket of the server, as the agent sends it where browsers have no keys. */
export async function provenBody(
  server: Target,
  requestId: string,
  content: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const ticket = await (await askForTicket(server, requestId, headers)).text()
  return closeBody(requestId, ticket, { version: 1, request_id: requestId, ...content })
}

/** The text of a body, with its proof at the end. */
export function closeBody(requestId: string, ticket: string, content: object): string {
  const text = JSON.stringify(content).slice(0, -1)
  const proof = { ticket, digest: digestOf(`${requestId} ${ticket} ${text}`), key: null }
  return `${text},"proof":${JSON.stringify(proof)}}`
}
