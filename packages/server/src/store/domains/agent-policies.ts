import type { AgentRule } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import type { AgentPolicyTable } from '../domain-tables.ts'
import type { Schema } from '../schema.ts'
import { bumpDirectoryVersion } from './domains.ts'

export type AgentPolicyRow = Selectable<AgentPolicyTable>

export const readAgentRules = ({ rules }: Pick<AgentPolicyRow, 'rules'>): AgentRule[] =>
  JSON.parse(rules) as AgentRule[]

interface PolicyToSave {
  rules: readonly AgentRule[]
  actor: string
  note: string
}

/** Versions of the domains' rules for declared agents. Writes need a transaction. */
export const agentPolicyStore = (db: Kysely<Schema>) => ({
  listActive: (): Promise<AgentPolicyRow[]> =>
    db.selectFrom('agent_policies').selectAll().where('active', '=', 1).execute(),

  /** Newest first. */
  list: (domainId: number): Promise<AgentPolicyRow[]> =>
    db
      .selectFrom('agent_policies')
      .selectAll()
      .where('domain_id', '=', domainId)
      .orderBy('version', 'desc')
      .execute(),

  /** Adds a version and activates it. An earlier one is used again by saving its rules. */
  async save(domainId: number, { rules, actor, note }: PolicyToSave, nowMs: number): Promise<AgentPolicyRow> {
    const [newest] = await this.list(domainId)
    await db.updateTable('agent_policies').set({ active: 0 }).where('domain_id', '=', domainId).execute()
    const saved = await db
      .insertInto('agent_policies')
      .values({
        domain_id: domainId,
        version: (newest?.version ?? 0) + 1,
        created_at: nowMs,
        actor,
        note,
        rules: JSON.stringify(rules),
        active: 1,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await bumpDirectoryVersion(db)
    return saved
  },
})
