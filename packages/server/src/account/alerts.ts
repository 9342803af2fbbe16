import { randomUUID } from 'node:crypto'
import { type ALERT_OPERATIONS, ALERT_PARTS_MAX, type AlertChannelSettings } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { testMessage } from '../deliver/alerts/send-due-alerts.ts'
import { webhookUrl } from '../deliver/webhook-endpoints.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { takeOne } from '../lib/limits.ts'
import { alertStore } from '../store/alerts/alert-deliveries.ts'
import {
  type AlertChannelRow,
  type AlertRuleRow,
  alertChannelStore,
  alertRuleStore,
  readSettings,
} from '../store/alerts/alert-rules.ts'
import type { Schema } from '../store/schema.ts'
import { presentAlertRule, presentAlerts, presentChannel, targetOf } from './alert-presenters.ts'
import { recordChange } from './audit.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { findDomain } from './domains.ts'
import type { AccountDeps, Handlers } from './handler.ts'

/** The audit log has names and numbers, never the settings of a channel. */
export const alertOperations: Handlers<typeof ALERT_OPERATIONS> = {
  listAlerts: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [before] = readCursor(query.cursor, 1) ?? []
    const rows = await alertStore(store.reads).page(id, before, query.limit)
    const last = rows.length === query.limit ? rows.at(-1) : undefined
    return {
      data: await presentAlerts(store.reads, id, rows),
      next: last ? writeCursor([last.id]) : null,
    }
  },

  listAlertChannels: async ({ params }, { store, alerts }) => {
    const { id } = await findDomain(store, params.domain)
    const rows = await alertChannelStore(store.reads).list(id)
    return { channels: rows.map(presentChannel), can_mail: alerts.canMail }
  },

  addAlertChannel: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const row = { domain_id: id, name: body.name, ...columnsOf(body.settings, deps), created_at: deps.now() }
    const added = await recordChange(
      deps,
      (made: AlertChannelRow) => ({
        ...{ actor: caller.email, action: 'alert_channels.add', target: name },
        detail: { channel: made.id, kind: made.kind },
      }),
      (transaction) => alertChannelStore(transaction).add(row),
    )
    if (!added) throw tooMany('receivers of alerts')
    return presentChannel(added)
  },

  changeAlertChannel: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { channel: params.channel_id, ...(body.settings && { kind: body.settings.kind }) }
    const entry = { actor: caller.email, action: 'alert_channels.change', target: name, detail }
    const change = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.settings && columnsOf(body.settings, deps)),
    }
    const changed = await recordChange(deps, entry, (transaction) =>
      alertChannelStore(transaction).change(id, params.channel_id, change),
    )
    if (!changed) throw noChannel()
    return presentChannel(changed)
  },

  removeAlertChannel: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { channel: params.channel_id }
    const entry = { actor: caller.email, action: 'alert_channels.remove', target: name, detail }
    const removed = await recordChange(deps, entry, (transaction) =>
      alertChannelStore(transaction).remove(id, params.channel_id),
    )
    if (!removed) throw noChannel()
  },

  testAlertChannel: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const channel = await alertChannelStore(deps.store.reads).find(id, params.channel_id)
    if (!channel) throw noChannel()
    await takeOne(deps.testSends, name)
    const settings = readSettings(deps.secrets.open(channel.sealed_settings))
    const dashboardUrl = `${deps.baseUrl}/dashboard`
    const message = testMessage(name, { id: randomUUID(), nowMs: deps.now(), dashboardUrl })
    const { delivered, answer, durationMs } = await deps.alerts.send(settings, message)
    const detail = { channel: channel.id, delivered }
    const entry = { actor: caller.email, action: 'alert_channels.test', target: name, detail }
    await recordChange(deps, entry, () => Promise.resolve(true))
    return { delivered, answer, duration_ms: durationMs }
  },

  listAlertRules: async ({ params }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    return (await alertRuleStore(store.reads).list(id)).map((row) => presentAlertRule(row, now()))
  },

  addAlertRule: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const nowMs = deps.now()
    const added = await recordChange(
      deps,
      (made: AlertRuleRow) => ({
        ...{ actor: caller.email, action: 'alert_rules.add', target: name },
        detail: { rule: made.id, source: made.source },
      }),
      async (transaction) => {
        await checkChannels(transaction, id, body.channels)
        return alertRuleStore(transaction).add({
          domain_id: id,
          name: body.name,
          source: body.when.source,
          condition: JSON.stringify(body.when),
          channels: JSON.stringify(body.channels),
          group_minutes: body.group_minutes,
          enabled: body.enabled ? 1 : 0,
          muted_until: null,
          watched_since: nowMs,
          bad_checks: null,
          created_at: nowMs,
        })
      },
    )
    if (!added) throw tooMany('rules for alerts')
    return presentAlertRule(added, nowMs)
  },

  changeAlertRule: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const nowMs = deps.now()
    const detail = { rule: params.alert_rule_id, changed: Object.keys(body).sort().join() }
    const entry = { actor: caller.email, action: 'alert_rules.change', target: name, detail }
    const changed = await recordChange(deps, entry, async (transaction) => {
      const rules = alertRuleStore(transaction)
      const before = await rules.find(id, params.alert_rule_id)
      if (!before) return undefined
      if (body.channels) await checkChannels(transaction, id, body.channels)
      const condition = body.when ? JSON.stringify(body.when) : before.condition
      // What happened while it watched something else, or nothing, is none of its.
      const isAnother = condition !== before.condition || (body.enabled === true && before.enabled === 0)
      return rules.change(id, before.id, {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.when && { condition, source: body.when.source }),
        ...(body.channels && { channels: JSON.stringify(body.channels) }),
        ...(body.group_minutes !== undefined && { group_minutes: body.group_minutes }),
        ...(body.enabled !== undefined && { enabled: body.enabled ? 1 : 0 }),
        ...(isAnother && { watched_since: nowMs, bad_checks: null }),
      })
    })
    if (!changed) throw noRule()
    return presentAlertRule(changed, nowMs)
  },

  muteAlertRule: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const nowMs = deps.now()
    const detail = { rule: params.alert_rule_id, hours: body.hours }
    const entry = { actor: caller.email, action: 'alert_rules.mute', target: name, detail }
    const muted_until = body.hours === 0 ? null : nowMs + body.hours * HOUR_MS
    const changed = await recordChange(deps, entry, (transaction) =>
      alertRuleStore(transaction).change(id, params.alert_rule_id, { muted_until }),
    )
    if (!changed) throw noRule()
    return presentAlertRule(changed, nowMs)
  },

  removeAlertRule: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const detail = { rule: params.alert_rule_id }
    const entry = { actor: caller.email, action: 'alert_rules.remove', target: name, detail }
    const removed = await recordChange(deps, entry, (transaction) =>
      alertRuleStore(transaction).remove(id, params.alert_rule_id),
    )
    if (!removed) throw noRule()
  },
}

/** @throws AppError `INK_INVALID_WEBHOOK_URL` */
function columnsOf(
  settings: AlertChannelSettings,
  { secrets, allowPrivateWebhooks }: Pick<AccountDeps, 'secrets' | 'allowPrivateWebhooks'>,
) {
  if ('url' in settings) webhookUrl(settings.url, allowPrivateWebhooks)
  return {
    kind: settings.kind,
    target: targetOf(settings),
    signed: settings.kind === 'webhook' && settings.secret !== undefined ? 1 : 0,
    sealed_settings: secrets.seal(JSON.stringify(settings)),
  }
}

/** @throws AppError for a channel of another domain, like for one that does not exist */
async function checkChannels(
  transaction: Kysely<Schema>,
  domainId: number,
  ids: readonly number[],
): Promise<void> {
  const known = new Set((await alertChannelStore(transaction).list(domainId)).map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw new AppError('INK_INVALID_FIELD', `channels: there is no channel ${unknown}`)
}

const noChannel = () => new AppError('INK_NOT_FOUND', 'no such channel')
const noRule = () => new AppError('INK_NOT_FOUND', 'no such rule')
const tooMany = (what: string) =>
  new AppError(
    'INK_TOO_MANY_ENTRIES',
    `the domain has ${ALERT_PARTS_MAX} ${what}, the most it may have; remove one`,
  )
