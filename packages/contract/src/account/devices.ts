import { z } from 'zod'
import { ROW } from '../openapi/example-visit.ts'
import { DomainPath, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

/** What is compared of a device: its browser and system, the components of its identity, and where it is. */
export const DEVICE_PARTS = [
  'browser',
  'system',
  'machine',
  'model',
  'gpu',
  'screen',
  'raster',
  'waveform',
  'rounding',
  'limits',
  'typefaces',
  'languages',
  'timezone',
  'settings',
  'zoom',
  'theme',
  'provider',
  'country',
] as const
export type DevicePart = (typeof DEVICE_PARTS)[number]

const Part = z.enum(DEVICE_PARTS)
const DeviceId = z.uuid().describe('A device ID')

export const DeviceChange = z
  .object({
    part: Part.describe('What changed'),
    from: z.string().describe('What it was before, in short'),
    to: z.string().describe('What it became'),
    at: Timestamp.describe('First visit with the new value; the latest one, if it went back and forth'),
    request_id: z.string().describe('Of that visit'),
    times: z.int().describe('1, or how often it went back and forth between the two values'),
    first_at: Timestamp.describe('The first of these changes'),
  })
  .describe('A change of a device between two visits')
export type DeviceChange = z.infer<typeof DeviceChange>

const DeviceChanges = z
  .object({
    visits: z.int().describe('Visits that were compared, at most the newest 200 that have a snapshot'),
    since: Timestamp.nullable().describe('The oldest of them; null without one'),
    complete: z.boolean().describe('Whether these are all visits of the device that are stored'),
    changes: z.array(DeviceChange).describe('Newest first'),
  })
  .describe('What changed on a device')
export type DeviceChanges = z.infer<typeof DeviceChanges>

const ComparedDevice = z
  .object({
    device_id: z.string().describe('As asked for'),
    request_id: z
      .string()
      .nullable()
      .describe('The newest visit with a snapshot, which is compared; null without one'),
    at: Timestamp.nullable().describe('When that visit was'),
  })
  .describe('A device of a comparison')

export const ComparedPart = z
  .object({
    part: Part.describe('What is compared'),
    a: z.string().nullable().describe('In short; null where it is not known'),
    b: z.string().nullable().describe('The same of the other device'),
    result: z.enum(['equal', 'different', 'unknown']).describe('`unknown` where one of them is'),
    change_rate: z
      .number()
      .nullable()
      .describe(
        'Where it differs: how often one machine changes so between two visits, as the linker counts with; null for what it does not weigh alone',
      ),
  })
  .describe('One thing that two devices have in common, or not')
export type ComparedPart = z.infer<typeof ComparedPart>

const DeviceComparison = z
  .object({
    a: ComparedDevice,
    b: ComparedDevice,
    same_device: z.boolean().describe('Whether both are IDs of one device, which was merged'),
    other_family: z
      .boolean()
      .describe('Whether system or browser differ, so that the linker never takes them for one device'),
    change_rate: z
      .number()
      .nullable()
      .describe(
        'Product of the rates of all parts that differ; 1 where none does, null without both snapshots and for another family',
      ),
    parts: z.array(ComparedPart).describe('In a fixed order'),
  })
  .describe('Two devices beside each other')
export type DeviceComparison = z.infer<typeof DeviceComparison>

export const DEVICE_OPERATIONS = {
  getDeviceChanges: {
    method: 'GET',
    path: '/account/domains/{domain}/device-changes',
    access: 'visits:read',
    summary: 'List what changed on a device',
    description: 'Compares its stored snapshots. Visits without a snapshot are left out.',
    params: DomainPath,
    query: z.strictObject({ device_id: DeviceId }),
    answer: DeviceChanges,
    errors: { 404: 'no identification has it' },
  },
  compareDevices: {
    method: 'GET',
    path: '/account/domains/{domain}/device-comparison',
    access: 'visits:read',
    summary: 'Compare two devices',
    description: 'Compares the newest snapshots of both, part by part.',
    params: DomainPath,
    query: z.strictObject({ a: DeviceId, b: DeviceId }),
    answer: DeviceComparison,
    errors: { 404: 'no identification has one of them' },
  },
} as const satisfies Record<string, AccountOperation>

const AT = '2026-10-08T14:21:37.205Z'

export const DEVICE_EXAMPLES: Examples<typeof DEVICE_OPERATIONS> = {
  getDeviceChanges: {
    answer: {
      visits: 12,
      since: '2026-09-02T08:12:00.000Z',
      complete: true,
      changes: [
        {
          part: 'browser',
          from: 'Chrome 155',
          to: 'Chrome 156',
          at: AT,
          request_id: ROW.request_id,
          times: 1,
          first_at: AT,
        },
      ],
    },
  },
  compareDevices: {
    answer: {
      a: { device_id: ROW.device_id, request_id: ROW.request_id, at: AT },
      b: { device_id: '5a0b2c6e-1c9f-4f0c-9a51-8c0f0a7d2b11', request_id: null, at: null },
      same_device: false,
      other_family: false,
      change_rate: 0.01,
      parts: [
        {
          part: 'gpu',
          a: 'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060)',
          b: 'ANGLE (Intel, Intel(R) UHD Graphics 630)',
          result: 'different',
          change_rate: 0.01,
        },
      ],
    },
  },
}
