import { type Kysely, sql } from 'kysely'

/** The program that a visit declares, which few do. The indexes have these rows only. */
export async function addDeclaredAgents(db: Kysely<unknown>): Promise<void> {
  for (const column of ['agent_identity', 'agent_category', 'agent'])
    await db.schema.alterTable('identifications').addColumn(column, 'text').execute()
  for (const [name, columns] of [
    ['identifications_agent_time', ['domain_id', 'created_at']],
    ['identifications_agent_score', ['domain_id', 'score', 'created_at']],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('identifications')
      .columns([...columns])
      .where(sql<boolean>`agent_identity is not null`)
      .execute()
}
