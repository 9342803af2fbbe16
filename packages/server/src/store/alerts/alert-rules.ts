import {
  ALERT_PARTS_MAX,
  type AlertChannelSettings,
  type AlertCondition,
  type AlertSource,
} from '@inkling/contract/account'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AlertChannelTable, AlertRuleTable } from '../alert-tables.ts'
import type { Schema } from '../schema.ts'

export type AlertChannelRow = Selectable<AlertChannelTable>
export type AlertRuleRow = Selectable<AlertRuleTable>
type NewChannel = Omit<Insertable<AlertChannelTable>, 'id'>
type NewRule = Omit<Insertable<AlertRuleTable>, 'id'>
type RuleChange = Partial<Omit<AlertRuleRow, 'id' | 'domain_id' | 'created_at'>>

/** Receivers of alerts. Every method takes the domain first; changes need a transaction. */
export const alertChannelStore = (db: Kysely<Schema>) => ({
  list: (domainId: number): Promise<AlertChannelRow[]> =>
    db.selectFrom('alert_channels').selectAll().where('domain_id', '=', domainId).orderBy('id').execute(),

  find: (domainId: number, id: number): Promise<AlertChannelRow | undefined> =>
    db
      .selectFrom('alert_channels')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst(),

  /** Undefined if the domain has as many as it may have. */
  async add(row: NewChannel): Promise<AlertChannelRow | undefined> {
    if ((await alertChannelStore(db).list(row.domain_id)).length >= ALERT_PARTS_MAX) return undefined
    return db.insertInto('alert_channels').values(row).returningAll().executeTakeFirstOrThrow()
  },

  change: (domainId: number, id: number, change: Partial<NewChannel>): Promise<AlertChannelRow | undefined> =>
    db
      .updateTable('alert_channels')
      .set(change)
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Removes it from the rules as well. */
  async remove(domainId: number, id: number): Promise<AlertChannelRow | undefined> {
    const removed = await db
      .deleteFrom('alert_channels')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!removed) return undefined
    const rules = alertRuleStore(db)
    for (const rule of await rules.list(domainId)) {
      const channels = channelsOf(rule)
      if (channels.includes(id))
        await rules.change(domainId, rule.id, {
          channels: JSON.stringify(channels.filter((one) => one !== id)),
        })
    }
    await db
      .deleteFrom('alert_deliveries')
      .where('domain_id', '=', domainId)
      .where('channel_id', '=', id)
      .where('due_at', 'is not', null)
      .execute()
    return removed
  },
})

/** What alerts are sent about. Every method takes the domain first; changes need a transaction. */
export const alertRuleStore = (db: Kysely<Schema>) => ({
  list: (domainId: number): Promise<AlertRuleRow[]> =>
    db.selectFrom('alert_rules').selectAll().where('domain_id', '=', domainId).orderBy('id').execute(),

  /** Enabled ones of one domain, or of all. */
  watching(source: AlertSource, domainId?: number): Promise<AlertRuleRow[]> {
    let rules = db
      .selectFrom('alert_rules')
      .selectAll()
      .where('source', '=', source)
      .where('enabled', '=', 1)
      .orderBy('id')
    if (domainId !== undefined) rules = rules.where('domain_id', '=', domainId)
    return rules.execute()
  },

  find: (domainId: number, id: number): Promise<AlertRuleRow | undefined> =>
    db
      .selectFrom('alert_rules')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst(),

  /** Undefined if the domain has as many as it may have. */
  async add(row: NewRule): Promise<AlertRuleRow | undefined> {
    if ((await alertRuleStore(db).list(row.domain_id)).length >= ALERT_PARTS_MAX) return undefined
    return db.insertInto('alert_rules').values(row).returningAll().executeTakeFirstOrThrow()
  },

  change: (domainId: number, id: number, change: RuleChange): Promise<AlertRuleRow | undefined> =>
    db
      .updateTable('alert_rules')
      .set(change)
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Removes its alerts as well. */
  async remove(domainId: number, id: number): Promise<AlertRuleRow | undefined> {
    const alertIds = db
      .selectFrom('alerts')
      .select('id')
      .where('domain_id', '=', domainId)
      .where('rule_id', '=', id)
    await db
      .deleteFrom('alert_deliveries')
      .where('domain_id', '=', domainId)
      .where('alert_id', 'in', alertIds)
      .execute()
    for (const table of ['alert_events', 'alerts'] as const)
      await db.deleteFrom(table).where('domain_id', '=', domainId).where('rule_id', '=', id).execute()
    return db
      .deleteFrom('alert_rules')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  },
})

export const channelsOf = (rule: Pick<AlertRuleRow, 'channels'>): number[] =>
  JSON.parse(rule.channels) as number[]

export const conditionOf = (rule: Pick<AlertRuleRow, 'condition'>): AlertCondition =>
  JSON.parse(rule.condition) as AlertCondition

/** Whether a rule still watches what it watched when it was read. */
export const isSame = (now: AlertRuleRow, before: AlertRuleRow): boolean =>
  now.enabled === 1 && now.condition === before.condition && now.watched_since === before.watched_since

export const isMuted = ({ muted_until }: Pick<AlertRuleRow, 'muted_until'>, nowMs: number): boolean =>
  muted_until !== null && muted_until > nowMs

/** What a channel is, from its opened settings. */
export const readSettings = (json: string): AlertChannelSettings => JSON.parse(json) as AlertChannelSettings
