import { z } from 'zod'
import { UUID_PATTERN } from './uuid.ts'

/** The IPv4 column of a row without a known IPv4 address. */
export const NO_IPV4 = '0.0.0.0'

/** A UUID as the wire sends it. */
export const Uuid = z.string().regex(UUID_PATTERN).describe('UUID of any version, the nil UUID included')

/** The seven identifiers by which History is searched. */
export const SEARCH_TYPES = [
  'request_id',
  'device_id',
  'user_hid',
  'visitor_id',
  'ip',
  'session_id',
  'cookie_id',
] as const
/** One of them. The server does not check it: any other text searches without a filter. */
export const SearchTypeName = z.enum(SEARCH_TYPES).describe('Identifier to search by')
export type SearchType = (typeof SEARCH_TYPES)[number]

export const PUBLIC_KEY_PATTERN = /^[0-9a-f]{32}$/
export const SECRET_KEY_PATTERN = /^[0-9a-f]{32}$/
export const API_KEY_PATTERN = /^sec_[a-z0-9]{8}-[a-z0-9]{8}-[a-z0-9]{8}$/
export const SIGNING_SECRET_PATTERN = /^whsec_[0-9a-f]{32}$/
