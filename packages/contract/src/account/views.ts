import { z } from 'zod'
import { SEARCH_TYPES } from '../identifiers.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

/** The pages of the dashboard whose filters can be saved. */
export const VIEW_PAGES = ['identifications'] as const

/** Filters by one visitor, which an erasure would have to find in views. */
export const UNSAVED_FILTERS: readonly string[] = [...SEARCH_TYPES, 'local_ip'].flatMap((name) => [
  name,
  `not_${name}`,
])

const SEARCH_MAX = 4_000

const namesNobody = (search: string): boolean =>
  [...new URLSearchParams(search).keys()].every((name) => !UNSAVED_FILTERS.includes(name))

const NameField = z.string().trim().min(1).max(80)
const SearchField = z
  .string()
  .max(SEARCH_MAX)
  .regex(/^[\w.~%+=&*-]*$/, 'the query of an address, without its question mark')
  .refine(namesNobody, 'a view has no filter by an identifier or an address')

export const SavedView = z
  .object({
    id: z.string().describe('Names it in links, as `view`'),
    page: z.enum(VIEW_PAGES).describe('Page of the dashboard'),
    name: z.string().describe('For people'),
    search: z.string().describe('Query of the page’s address: filters, order and columns'),
    shared: z.boolean().describe('Whether all users see it'),
    owner: z.string().nullable().describe('E-mail address of a user; null where that user was removed'),
    changeable: z.boolean().describe('Whether the user who asks may change it'),
    changed_at: Timestamp.describe('When it was saved or changed last'),
  })
  .describe('A saved view')
export type SavedView = z.infer<typeof SavedView>

export const SavedViews = z
  .object({ data: z.array(SavedView).describe('By name') })
  .describe('One’s own views and those that are shared')

export const NewView = z
  .strictObject({
    page: z.enum(VIEW_PAGES).describe('Page of the dashboard'),
    name: NameField.describe('For people'),
    search: SearchField.describe(
      'Query of the page’s address: filters, order and columns, but no identifier or address of visitors',
    ),
    shared: z.boolean().default(false).describe('Whether all users see it'),
  })
  .describe('A view to save')

export const ViewChange = z
  .strictObject({
    name: NameField.optional().describe('Renames it'),
    search: SearchField.optional().describe('Replaces what it shows'),
    shared: z.boolean().optional().describe('Whether all users see it'),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('What to change of a view')

const ViewPath = DomainPath.extend({
  view_id: z
    .string()
    .regex(/^[0-9a-f]{1,32}$/, 'the ID of a view')
    .describe('ID of the view'),
})

const NO_VIEW = { 404: 'no such view' } as const
const NOT_YOURS = { 403: 'only its owner and owners of the installation may do this', ...NO_VIEW } as const

export const VIEW_OPERATIONS = {
  listViews: {
    method: 'GET',
    path: '/account/domains/{domain}/views',
    access: 'visits:read',
    summary: 'List saved views',
    description: 'Views of others that are not shared are shown to nobody else.',
    params: DomainPath,
    answer: SavedViews,
    errors: NO_DOMAIN,
  },
  saveView: {
    method: 'POST',
    path: '/account/domains/{domain}/views',
    access: 'cases:write',
    summary: 'Save a view',
    description: 'A user has at most 50 in a domain.',
    params: DomainPath,
    body: NewView,
    answer: SavedView,
    status: 201,
    errors: { ...NO_DOMAIN, 409: 'you have 50 views in this domain' },
  },
  changeView: {
    method: 'PATCH',
    path: '/account/domains/{domain}/views/{view_id}',
    access: 'cases:write',
    summary: 'Rename, update, share or stop sharing a view',
    params: ViewPath,
    body: ViewChange,
    answer: SavedView,
    errors: NOT_YOURS,
  },
  removeView: {
    method: 'DELETE',
    path: '/account/domains/{domain}/views/{view_id}',
    access: 'cases:write',
    summary: 'Remove a view',
    params: ViewPath,
    answer: 'nothing',
    errors: NOT_YOURS,
  },
} as const satisfies Record<string, AccountOperation>

const SAVED = {
  page: 'identifications',
  name: 'Sign-ups from data centers',
  search: 'flag=datacenter_ip&not_country=Germany&sort=riskiest',
  shared: true,
} as const

const EXAMPLE: SavedView = {
  id: '9f31c0a47be2',
  ...SAVED,
  owner: 'mira@brewline.example',
  changeable: true,
  changed_at: '2026-10-12T10:02:11.000Z',
}

export const VIEW_EXAMPLES: Examples<typeof VIEW_OPERATIONS> = {
  listViews: { answer: { data: [EXAMPLE] } },
  saveView: { body: SAVED, answer: EXAMPLE },
  changeView: { body: { shared: false }, answer: { ...EXAMPLE, shared: false } },
  removeView: {},
}
