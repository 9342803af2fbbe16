import { Explanation, HistoryPage, type HistoryRow, IdentificationScored } from '@inkling/contract'
import type { TestServer } from '../running-server.ts'
import type { Receiver } from '../webhook-receiver.ts'

/** A visit in the APIs. */
export interface IdentifiedVisit {
  row: HistoryRow
  explanation: Explanation
}

/** Returns the visit that an action causes. Visits run one at a time. */
export async function visitAfter(
  act: () => Promise<unknown>,
  { url, keys }: TestServer,
  receiver: Receiver,
): Promise<IdentifiedVisit> {
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${keys.api_key}` } })).json()
  const before = receiver.received.length
  await act()
  // The event is sent after the visit is stored and acknowledged.
  const event = (await receiver.count(before + 1))[before]?.body.toString() ?? ''
  const requestId = IdentificationScored.parse(JSON.parse(event)).data.request_id
  const [row] = HistoryPage.parse(await read(`history/request_id/${requestId}`)).data
  if (!row) throw new Error('the visit has no row')
  return { row, explanation: Explanation.parse(await read(`explanation/${requestId}`)) }
}
