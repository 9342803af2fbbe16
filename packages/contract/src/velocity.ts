import { z } from 'zod'

const count = (window: string) => z.int().min(0).describe(`In ${window}`)

const windows = (what: string) =>
  z
    .object({
      m5: count('5 minutes'),
      h1: count('1 hour'),
      h24: count('24 hours'),
      d7: count('7 days'),
    })
    .describe(what)

/** The visits of a device, account or address, and what came with them. */
export const VelocityCounts = z
  .object({
    visits: windows('Identifications'),
    devices: windows('Different devices'),
    accounts: windows('Different accounts'),
    addresses: windows('Different addresses'),
    countries: windows('Different countries'),
    cookies: windows('Different cookies'),
  })
  .describe(
    'How often something was seen, and with how many different others; estimates where these are more than 256 in 7 days',
  )
export type VelocityCounts = z.infer<typeof VelocityCounts>

/** The counts of one visit by what it was counted by. */
export const VisitVelocity = z
  .object({
    device: VelocityCounts.optional(),
    visitor: VelocityCounts.optional(),
    cookie: VelocityCounts.optional(),
    account: VelocityCounts.optional(),
    address: VelocityCounts.optional(),
    prefix: VelocityCounts.optional(),
  })
  .describe(
    'The counts right after the visit, itself included, of each that it has; `prefix` is the /24 of its IPv4 or the /48 of its IPv6 address',
  )
export type VisitVelocity = z.infer<typeof VisitVelocity>
