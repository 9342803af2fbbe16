import { randomBytes } from 'node:crypto'
import { presentTime } from '@inkling/contract'
import type { SavedView, VIEW_OPERATIONS, VIEW_PAGES } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { Schema } from '../store/schema.ts'
import { type SavedViewRow, type SavedViewRowChange, viewStore } from '../store/users/saved-views.ts'
import { recordChange } from './audit.ts'
import { findDomain } from './domains.ts'
import type { AccountCaller, Handlers } from './handler.ts'

const VIEWS_MAX = 50
const ID_BYTES = 6

/** The audit log names IDs of views, never what they are called: users write names. */
export const viewOperations: Handlers<typeof VIEW_OPERATIONS> = {
  listViews: async ({ params, caller }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const rows = await viewStore(store.reads).visible(id, caller.email)
    return { data: rows.map((row) => presentView(row, caller)) }
  },

  saveView: async ({ params, body, caller }, deps) => {
    const { id: domainId, name: domain } = await findDomain(deps.store, params.domain)
    const id = randomBytes(ID_BYTES).toString('hex')
    const detail = { view: id, shared: body.shared }
    const entry = { actor: caller.email, action: 'views.save', target: domain, detail }
    const saved = await recordChange(deps, entry, async (transaction) => {
      const views = viewStore(transaction)
      if ((await views.countOf(domainId, caller.email)) >= VIEWS_MAX)
        throw new AppError('INK_TOO_MANY_ENTRIES', `you have ${VIEWS_MAX} views in this domain; remove one`)
      return views.add({
        domain_id: domainId,
        id,
        page: body.page,
        name: body.name,
        search: body.search,
        owner: caller.email,
        shared: Number(body.shared),
        changed_at: deps.now(),
      })
    })
    if (!saved) throw new Error('the view was not saved')
    return presentView(saved, caller)
  },

  changeView: async ({ params, body, caller }, deps) => {
    const { id: domainId, name: domain } = await findDomain(deps.store, params.domain)
    const detail = { view: params.view_id, fields: Object.keys(body).join() }
    const entry = { actor: caller.email, action: 'views.change', target: domain, detail }
    const change: SavedViewRowChange = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.search !== undefined && { search: body.search }),
      ...(body.shared !== undefined && { shared: Number(body.shared) }),
      changed_at: deps.now(),
    }
    const changed = await recordChange(deps, entry, async (transaction) => {
      const { id } = await changeableView(transaction, domainId, params.view_id, caller)
      return viewStore(transaction).change(domainId, id, change)
    })
    if (!changed) throw NO_VIEW()
    return presentView(changed, caller)
  },

  removeView: async ({ params, caller }, deps) => {
    const { id: domainId, name: domain } = await findDomain(deps.store, params.domain)
    const detail = { view: params.view_id }
    const entry = { actor: caller.email, action: 'views.remove', target: domain, detail }
    await recordChange(deps, entry, async (transaction) => {
      const { id } = await changeableView(transaction, domainId, params.view_id, caller)
      return viewStore(transaction).remove(domainId, id)
    })
  },
}

const NO_VIEW = () => new AppError('INK_NOT_FOUND', 'no such view')

/** Its owner may change a view, and owners of the domain one that is shared. Nobody else learns of the others. */
const isChangeable = ({ owner, shared }: SavedViewRow, { email, rights }: AccountCaller): boolean =>
  rights.has('cases:write') && (owner === email || (shared === 1 && rights.has('members:write')))

/** @throws AppError `INK_NOT_FOUND` for one that the user does not see, `INK_OWNER_ONLY` for one to look at only */
async function changeableView(
  db: Kysely<Schema>,
  domainId: number,
  id: string,
  user: AccountCaller,
): Promise<SavedViewRow> {
  const row = await viewStore(db).find(domainId, id)
  if (!row || (row.owner !== user.email && row.shared !== 1)) throw NO_VIEW()
  if (!isChangeable(row, user))
    throw new AppError('INK_OWNER_ONLY', 'only its owner and owners of the domain may do this')
  return row
}

const presentView = (row: SavedViewRow, user: AccountCaller): SavedView => ({
  id: row.id,
  page: row.page as (typeof VIEW_PAGES)[number],
  name: row.name,
  search: row.search,
  shared: row.shared === 1,
  owner: row.owner,
  changeable: isChangeable(row, user),
  changed_at: presentTime(row.changed_at),
})
