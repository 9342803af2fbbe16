import { z } from 'zod'
import { Uuid } from '../identifiers.ts'
import { EndpointPath, NO_ENDPOINT } from './endpoints.ts'
import { nextCursor, paging, Timestamp } from './fields.ts'
import type { AccountOperation } from './operation.ts'

export const Delivery = z
  .object({
    id: z.int().describe('Number of the send'),
    endpoint_id: z.int().describe('Where it went'),
    request_id: Uuid.describe('The identification it tells of; an ID of its own for `pattern.changed`'),
    event_id: Uuid.describe('Stays over retries'),
    event_type: z.string().describe('Such as `identification.scored`'),
    attempt: z.int().describe('1 for the first send'),
    sent_at: Timestamp.describe('When it left'),
    duration_ms: z.int().describe('Milliseconds until the answer'),
    status: z.int().nullable().describe('HTTP status; null when no answer came'),
    error: z.string().nullable().describe('Why no answer came'),
    body: z.string().describe('The exact text that was sent'),
  })
  .describe('One send of an event')
export type Delivery = z.infer<typeof Delivery>

export const DeliveryPage = z
  .object({ data: z.array(Delivery).describe('Newest first'), next: nextCursor })
  .describe('One page of the delivery log')
export type DeliveryPage = z.infer<typeof DeliveryPage>

export const DeliveryQuery = z.strictObject({
  outcome: z.enum(['failed', 'all']).default('all').describe('`failed`: no 2xx came'),
  ...paging,
})

export const DELIVERY_OPERATIONS = {
  listDeliveries: {
    method: 'GET',
    path: '/account/domains/{domain}/endpoints/{endpoint_id}/deliveries',
    access: 'analyst',
    summary: 'Read the delivery log of an endpoint',
    params: EndpointPath,
    query: DeliveryQuery,
    answer: DeliveryPage,
    refusals: NO_ENDPOINT,
  },
} as const satisfies Record<string, AccountOperation>
