import { z } from 'zod'
import { SEARCH_TYPES, UUID_PATTERN } from './identifiers.ts'

export const Uuid = z
  .string()
  .regex(UUID_PATTERN, 'a UUID')
  .describe('A UUID of any version; all zeros where there is no identifier')

/** The server does not check it: any other text searches the whole domain. */
export const SearchTypeName = z.enum(SEARCH_TYPES).describe('Which identifier to search by')

/** Fields that several answers share, so that each is described once. */
export const FIELDS = {
  requestId: Uuid.describe('Names this identification. The agent makes it up before it sends anything'),
  sessionId: Uuid.describe('Shared by the tabs that have an origin open at the same time'),
  cookieId: Uuid.describe(
    'Kept by the agent in a cookie and in localStorage; all zeros when it sent no valid one',
  ),
  deviceId: Uuid.describe(
    'One browser on one machine, recognised without its cookie; all zeros without enough readings',
  ),
  visitorId: Uuid.describe('Follows the device, whatever its cookie; all zeros without enough readings'),
  userHid: z
    .string()
    .describe(
      'Your pseudonym for the account. Many people share each of `-1`, `anonymous`, `fail`, `null`, `unknown` and the empty text',
    ),
  ipv4: z.string().describe('Public IPv4 address, or `0.0.0.0` for a visitor without one'),
  os: z.string().describe('Operating system as people call it. Show it; do not compare it'),
  browser: z.string().describe('Browser as people call it. Show it; do not compare it'),
  deviceType: z
    .string()
    .describe('`desktop`, `mobile`, `tablet` or `unknown`; read a name you do not know as `unknown`'),
  country: z.string().describe('Country of the address, in English; empty when no list has it'),
  connectionType: z
    .string()
    .describe(
      'How the visitor is connected: `browser_vpn_proxy`, `direct`, `mobile`, `privacy_relay`, `proxy`, `tor`, `vpn` or `unknown`. Show it; decide by the flags',
    ),
  score: z.int().describe('Risk Score from 0 to 100; 999 marks a rate-limited address and is not a score'),
  rowTime: z.string().describe('When it was made, in UTC: `2026-06-01 12:00:00.123`'),
} as const
