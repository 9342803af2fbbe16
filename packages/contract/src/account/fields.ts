import { z } from 'zod'
import { SEARCH_TYPES } from '../identifiers.ts'

export const Timestamp = z.iso.datetime().describe('RFC 3339, UTC')

/** At most 254 characters (RFC 5321); `admin@localhost` is valid. */
export const EmailField = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'an e-mail address')
  .toLowerCase()

/** Long enough for every stored identifier. */
export const IdentifierValue = z.string().min(1).max(1_024)

export const IdentifierType = z.enum(SEARCH_TYPES)

const PAGE_MAX = 200
const PAGE_DEFAULT = 50

/** Query parameters of a paged list. */
export const paging = {
  cursor: z.string().max(200).optional().describe('`next` of the previous page; none for the first page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .describe(`Entries of a page, at most ${PAGE_MAX}`),
}

export const nextCursor = z.string().nullable().describe('`cursor` of the next page; null at the end')

/** Path parameters of everything that belongs to a domain. */
export const DomainPath = z.object({ domain: z.string().max(253).describe('Registered domain') })

export const UserPath = z.object({
  user_id: z.coerce.number().int().positive().describe('Number of the user'),
})

export const NO_DOMAIN = { 404: 'no such domain' } as const
