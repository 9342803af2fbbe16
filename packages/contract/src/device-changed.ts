import { z } from 'zod'
import { FIELDS, Uuid } from './fields.ts'

const Moment = z.string().describe('RFC 3339 UTC')

const STAMP = {
  schema_version: z.string().describe('As in `identification.scored`. Take any other value, too'),
  event_id: z.string().describe('Same value each time this event is sent'),
  created_at: Moment.describe('When the visit was stored; RFC 3339 UTC'),
}

const SHOWN_BY = {
  request_id: FIELDS.requestId.describe('The visit that showed it'),
  domain: z.string().describe('Registered domain'),
  confidence: z.number().describe('Probability that it is so, 0 to 1'),
  observed_at: Moment.describe('When the visit came in; RFC 3339 UTC'),
}

/** Sent to endpoints that subscribe to it, when a visit shows that two devices are one. */
export const DeviceMerged = z
  .object({
    event_type: z.literal('device.merged').describe('Name of the event'),
    ...STAMP,
    data: z
      .object({
        device_id: Uuid.describe('The device, which keeps its ID'),
        merged_device_id: Uuid.describe('The ID that later visits have no more'),
        ...SHOWN_BY,
      })
      .describe('The two IDs and the visit that showed it'),
  })
  .describe('The event `device.merged`; keys in the order sent')
export type DeviceMerged = z.infer<typeof DeviceMerged>

/** Sent to the same endpoints when a visit shows that a device is two. */
export const DeviceSplit = z
  .object({
    event_type: z.literal('device.split').describe('Name of the event'),
    ...STAMP,
    data: z
      .object({
        device_id: Uuid.describe('The device that earlier visits of this cookie were taken for'),
        split_device_id: Uuid.describe('The device that this visit and later ones have'),
        cookie_id: FIELDS.cookieId,
        ...SHOWN_BY,
      })
      .describe('The two IDs and the visit that showed it'),
  })
  .describe('The event `device.split`; keys in the order sent')
export type DeviceSplit = z.infer<typeof DeviceSplit>
