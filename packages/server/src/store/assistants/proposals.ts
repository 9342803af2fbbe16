import type { Insertable, Kysely, Selectable } from 'kysely'
import { normalAddress, parseAddress } from '../../lib/address.ts'
import type { AssistantProposalTable } from '../assistant-tables.ts'
import type { Schema } from '../schema.ts'

export type ProposalRow = Selectable<AssistantProposalTable>

/** What assistants propose. `db` is a connection or an open transaction. */
export const proposalStore = (db: Kysely<Schema>) => ({
  add: (row: Insertable<AssistantProposalTable>): Promise<unknown> =>
    db.insertInto('assistant_proposals').values(row).execute(),

  /** Those that wait, oldest first, with the e-mail address of their user. */
  waiting: (domainId: number, nowMs: number): Promise<(ProposalRow & { email: string })[]> =>
    db
      .selectFrom('assistant_proposals as proposal')
      .innerJoin('users', 'users.id', 'proposal.user_id')
      .selectAll('proposal')
      .select('users.email')
      .where('proposal.domain_id', '=', domainId)
      .where('proposal.expires_at', '>', nowMs)
      .orderBy('proposal.created_at')
      .orderBy('proposal.id')
      .execute(),

  async countOfUser(userId: number, nowMs: number): Promise<number> {
    const { proposals } = await db
      .selectFrom('assistant_proposals')
      .select(({ fn }) => fn.countAll<number>().as('proposals'))
      .where('user_id', '=', userId)
      .where('expires_at', '>', nowMs)
      .executeTakeFirstOrThrow()
    return proposals
  },

  /** Takes one away, so that nobody else decides about it. Undefined if it is gone or over. */
  take: (domainId: number, id: string, nowMs: number): Promise<ProposalRow | undefined> =>
    db
      .deleteFrom('assistant_proposals')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .where('expires_at', '>', nowMs)
      .returningAll()
      .executeTakeFirst(),

  removeOfUser: (userId: number): Promise<unknown> =>
    db.deleteFrom('assistant_proposals').where('user_id', '=', userId).execute(),

  removeFor: (userId: number, domainId: number): Promise<unknown> =>
    db
      .deleteFrom('assistant_proposals')
      .where('user_id', '=', userId)
      .where('domain_id', '=', domainId)
      .execute(),

  removeExpired: (nowMs: number): Promise<unknown> =>
    db.deleteFrom('assistant_proposals').where('expires_at', '<=', nowMs).execute(),
})

/**
 * The proposals of a domain in which one of these texts stands, in any letters, or the same address in another form.
 * There are few, so all are read.
 */
export async function proposalsNaming(
  db: Kysely<Schema>,
  domainId: number,
  texts: readonly string[],
): Promise<string[]> {
  if (texts.length === 0) return []
  const rows = await db
    .selectFrom('assistant_proposals')
    .select(['id', 'request', 'why'])
    .where('domain_id', '=', domainId)
    .execute()
  if (rows.length === 0) return []
  const sought = [...new Set(texts)].map(wholeText)
  return rows.flatMap(({ id, request, why }) => {
    const written = [why, ...textsIn(JSON.parse(request))].map(comparable)
    return written.some((text) => sought.some((one) => one.test(text))) ? [id] : []
  })
}

/** Removes them. Needs a transaction. */
export async function forgetProposals(
  transaction: Kysely<Schema>,
  domainId: number,
  texts: readonly string[],
): Promise<void> {
  const ids = await proposalsNaming(transaction, domainId, texts)
  if (ids.length === 0) return
  await transaction
    .deleteFrom('assistant_proposals')
    .where('domain_id', '=', domainId)
    .where('id', 'in', ids)
    .execute()
}

/** Not as a part of a longer word: an account may be a single digit. */
export const wholeText = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(comparable(text))}(?![\\p{L}\\p{N}])`, 'u')

const comparable = (text: string): string =>
  parseAddress(text) ? normalAddress(text).toLowerCase() : text.toLowerCase()

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
