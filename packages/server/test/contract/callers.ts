import { HistoryPage, type HistoryRow } from '@inkling/contract'
import type { DomainKeys } from '../../src/auth/register-domain.ts'
import { postSnapshot, type TestServer } from '../running-server.ts'
import { type RawAnswer, type RawRequest, rawRequest } from './raw-request.ts'

type Target = Pick<TestServer, 'url' | 'port' | 'keys'>

/** The same server with the keys of another domain. */
export const as = <Server extends Target>(server: Server, keys: DomainKeys): Server => ({ ...server, keys })

/** Requests History like a customer's backend, with an unchanged path. */
export const history = (
  server: Target,
  path: string,
  { headers = {}, ...request }: Omit<RawRequest, 'path'> = {},
): Promise<RawAnswer> =>
  rawRequest(server, {
    path: `/api/v1/history/${path}`,
    headers: { authorization: `Bearer ${server.keys.api_key}`, ...headers },
    ...request,
  })

/** A page of History, checked against the published schema. */
export async function historyPage(server: Target, path: string): Promise<HistoryPage> {
  const answer = await history(server, path)
  if (answer.status !== 200) throw new Error(`History answered ${answer.status}: ${answer.text}`)
  return HistoryPage.parse(answer.json())
}

/** The row of a request ID. */
export async function rowOf(server: Target, requestId: string): Promise<HistoryRow> {
  const { data, total } = await historyPage(server, `request_id/${requestId}`)
  const [row] = data
  if (!row || total !== 1) throw new Error(`${total} rows of ${requestId}`)
  return row
}

/** When the row was created, which is its first version. */
export const createdAtMs = (row: HistoryRow): number => Date.parse(`${row.created_at.replace(' ', 'T')}Z`)

/** Requests Management like a customer's backend. */
export const management = (
  server: Target,
  path: string,
  { headers = {}, ...request }: Omit<RawRequest, 'path'> = {},
): Promise<RawAnswer> =>
  rawRequest(server, {
    path,
    headers: {
      authorization: `Bearer ${server.keys.secret_key}`,
      'x-svc-domain': server.keys.domain,
      ...headers,
    },
    ...request,
  })

/** Sends one identification like a page of the domain, and expects its acknowledgement. */
export async function identify(
  server: Target,
  requestId: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await postSnapshot(server, requestId, body, headers)
  if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}: ${await answer.text()}`)
}
