import { z } from 'zod'
import { SEARCH_TYPES } from '../identifiers.ts'

export const Timestamp = z.iso.datetime().describe('RFC 3339, UTC')

/** RFC 5321 allows no longer one. `admin@localhost` is an address too. */
export const EmailField = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'an e-mail address')

/** Text that no visitor's identifier is longer than. */
export const IdentifierValue = z.string().min(1).max(1_024)

export const IdentifierType = z.enum(SEARCH_TYPES)

const PAGE_MAX = 200
const PAGE_DEFAULT = 50

/** Query of a list that is read page by page. */
export const paging = {
  cursor: z.string().max(200).optional().describe('`next` of the page before; without it: the first page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .describe(`Entries in a page, ${PAGE_MAX} at the most`),
}

export const nextCursor = z.string().nullable().describe('`cursor` of the next page; null at the end')

/** Path of everything below one domain. */
export const DomainPath = z.object({ domain: z.string().max(253).describe('Registered domain') })

export const NO_DOMAIN = { 404: 'no such domain' } as const
