import { z } from 'zod'
import { DecisionAction } from '../decision.ts'
import { PATTERN_GRADES } from '../patterns.ts'
import { TEST_SENDS } from './endpoints.ts'
import { DomainPath, NO_DOMAIN, nextCursor, paging, Timestamp } from './fields.ts'
import type { AccountOperation } from './operation.ts'
import { PatternField } from './patterns.ts'

export const ALERT_CHANNEL_KINDS = ['email', 'slack', 'teams', 'pagerduty', 'webhook'] as const
export type AlertChannelKind = (typeof ALERT_CHANNEL_KINDS)[number]
export const ALERT_SOURCES = ['finding', 'decision', 'volume', 'health'] as const
export type AlertSource = (typeof ALERT_SOURCES)[number]
/** Beyond this an alert counts no further. */
export const ALERT_EVENTS_MAX = 1_000
/** Two weeks. */
const MUTE_HOURS_MAX = 336
const NAME_MAX = 80
const ADDRESSES_MAX = 10
const CHANNELS_MAX = 10

/** Narrower than `EmailField`: nothing that means more than itself in the header of a mail. */
const MailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/, 'an e-mail address')
const NameField = z.string().trim().min(1).max(NAME_MAX)
const UrlField = z.string().min(1).max(2_048)

export const AlertChannelSettings = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('email').describe('What it sends to'),
      addresses: z.array(MailAddress).min(1).max(ADDRESSES_MAX).describe('Who gets the mail'),
    }),
    z.strictObject({
      kind: z.literal('slack').describe('What it sends to'),
      url: UrlField.describe('URL of an incoming webhook'),
    }),
    z.strictObject({
      kind: z.literal('teams').describe('What it sends to'),
      url: UrlField.describe('URL of a workflow that posts an Adaptive Card'),
    }),
    z.strictObject({
      kind: z.literal('pagerduty').describe('What it sends to'),
      routing_key: z
        .string()
        .regex(/^[A-Za-z0-9]{32}$/, 'the 32 characters of an integration key')
        .describe('Integration key of the Events API v2'),
      region: z.enum(['us', 'eu']).describe('Service region of the account'),
    }),
    z.strictObject({
      kind: z.literal('webhook').describe('What it sends to'),
      url: UrlField.describe('Where the JSON is posted'),
      secret: z
        .string()
        .min(16)
        .max(200)
        .optional()
        .describe('Signs each body like the events of webhooks; without one there is no signature'),
    }),
  ])
  .describe('Where alerts are sent. It is stored encrypted, and no answer has it')
export type AlertChannelSettings = z.output<typeof AlertChannelSettings>

export const AlertChannel = z
  .object({
    id: z.int().describe('Number of the channel'),
    name: z.string().describe('For people'),
    kind: z.enum(ALERT_CHANNEL_KINDS).describe('What it sends to'),
    target: z
      .string()
      .describe('The addresses, the host of the URL, or the last four characters of the routing key'),
    signed: z.boolean().describe('Whether its bodies carry a signature'),
    created_at: Timestamp.describe('When it was added'),
  })
  .describe('A receiver of alerts')
export type AlertChannel = z.infer<typeof AlertChannel>

export const AlertChannels = z
  .object({
    channels: z.array(AlertChannel).describe('Oldest first'),
    can_mail: z.boolean().describe('Whether this installation can send e-mail: `SMTP_URL` is set'),
  })
  .describe('Receivers of the alerts of a domain')

export const AlertChannelAddition = z
  .strictObject({ name: NameField.describe('For people'), settings: AlertChannelSettings })
  .describe('A new channel')

export const AlertChannelChange = z
  .strictObject({
    name: NameField.optional().describe('For people'),
    settings: AlertChannelSettings.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('What to change of a channel; settings are replaced as a whole')

export const AlertTest = z
  .object({
    delivered: z.boolean().describe('Whether the receiver accepted the message'),
    answer: z.string().describe('What the receiver answered, or why nothing was sent'),
    duration_ms: z.int().describe('Milliseconds until the answer'),
  })
  .describe('Result of a test message')
export type AlertTest = z.infer<typeof AlertTest>

export const AlertCondition = z
  .discriminatedUnion('source', [
    z.strictObject({
      source: z.literal('finding').describe('What it watches'),
      patterns: z.array(PatternField).max(50).describe('Only these patterns; none for all'),
      grade: z.enum(PATTERN_GRADES).describe('Least grade'),
    }),
    z.strictObject({
      source: z.literal('decision').describe('What it watches'),
      action: DecisionAction.optional().describe('Only decisions with this action'),
      rule_id: z.int().positive().optional().describe('Only decisions in which this decision rule met'),
    }),
    z.strictObject({
      source: z.literal('volume').describe('What it watches'),
      of: z.enum(['identifications', 'dangerous']).describe('All visits, or only dangerous ones'),
      within: z.enum(['hour', 'day']).describe('Hour or day in UTC'),
      is: z
        .enum(['over', 'under', 'times'])
        .describe('More or fewer than a number, or more than so many times the usual'),
      value: z.number().positive().max(1e9).describe('The number or the multiple'),
    }),
    z.strictObject({
      source: z.literal('health').describe('What it watches'),
      state: z.enum(['warn', 'problem']).describe('Least state of a health check'),
    }),
  ])
  .describe('What it watches')
export type AlertCondition = z.output<typeof AlertCondition>

const ruleFields = {
  name: NameField.describe('For people; the title of its messages'),
  when: AlertCondition,
  channels: z
    .array(z.int().positive())
    .max(CHANNELS_MAX)
    .describe('Numbers of the channels it sends to; none only lists alerts on the page'),
  group_minutes: z
    .int()
    .min(1)
    .max(1_440)
    .describe('After a message, further events within this time are sent as one summary'),
  enabled: z.boolean().describe('Whether it is watched'),
}

export const AlertRule = z
  .object({
    id: z.int().describe('Number of the rule'),
    ...ruleFields,
    muted_until: Timestamp.nullable().describe('Nothing is sent before; null if it is not muted'),
    created_at: Timestamp.describe('When it was added'),
  })
  .describe('What to send alerts about')
export type AlertRule = z.infer<typeof AlertRule>

export const AlertRules = z.array(AlertRule).describe('Oldest first')

export const AlertRuleAddition = z
  .strictObject({
    ...ruleFields,
    group_minutes: ruleFields.group_minutes.default(60),
    enabled: ruleFields.enabled.default(true),
  })
  .describe('A new rule; it watches what happens from now on')

export const AlertRuleChange = z
  .strictObject({
    name: ruleFields.name.optional(),
    when: AlertCondition.optional(),
    channels: ruleFields.channels.optional(),
    group_minutes: ruleFields.group_minutes.optional(),
    enabled: ruleFields.enabled.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('What to change of a rule; the rest stays')

export const AlertMute = z
  .strictObject({
    hours: z.int().min(0).max(MUTE_HOURS_MAX).describe('For how long; 0 ends it'),
  })
  .describe('How long a rule sends nothing')

export const AlertDelivery = z
  .object({
    channel_id: z.int().describe('Number of the channel'),
    channel: z.string().describe('Its name'),
    part: z.enum(['first', 'summary']).describe('The message at once, or the one at the end of the group'),
    state: z.enum(['waiting', 'sent', 'failed']).describe('`waiting`: also for another attempt'),
    attempts: z.int().describe('Attempts so far'),
    at: Timestamp.nullable().describe('When it was sent; null if it was not'),
    answer: z.string().nullable().describe('What the receiver answered last, or why there was no answer'),
  })
  .describe('A message of an alert to one channel')
export type AlertDelivery = z.infer<typeof AlertDelivery>

export const Alert = z
  .object({
    id: z.int().describe('Number of the alert'),
    rule_id: z.int().describe('Number of its rule'),
    rule: z.string().describe('Name of its rule'),
    source: z.enum(ALERT_SOURCES).describe('What the rule watches'),
    events: z.int().describe(`How many events it groups, counted up to ${ALERT_EVENTS_MAX}`),
    first_at: Timestamp.describe('When it began'),
    last_at: Timestamp.describe('When the last event joined it'),
    open: z.boolean().describe('Whether further events still join it'),
    muted: z.boolean().describe('Whether its rule was muted, so that nothing was sent'),
    lines: z
      .array(
        z.object({
          at: Timestamp.describe('When it happened'),
          text: z.string().describe('What happened'),
          path: z.string().describe('Where the dashboard shows it, below its base path'),
        }),
      )
      .describe('The first events, at most 5'),
    deliveries: z.array(AlertDelivery).describe('What was sent where'),
  })
  .describe('Events of one rule that belong together')
export type Alert = z.infer<typeof Alert>

export const AlertPage = z
  .object({ data: z.array(Alert).describe('Newest first'), next: nextCursor })
  .describe('One page of alerts')

const ChannelPath = DomainPath.extend({
  channel_id: z.coerce.number().int().positive().describe('Number of the channel'),
})
const AlertRulePath = DomainPath.extend({
  alert_rule_id: z.coerce.number().int().positive().describe('Number of the rule'),
})
const NO_CHANNEL = { 404: 'no such channel' } as const
const NO_RULE = { 404: 'no such rule' } as const

/** How many channels, and how many rules for alerts, a domain may have: more than anybody tells apart. */
export const ALERT_PARTS_MAX = 50
const full = (what: string) => `the domain has ${ALERT_PARTS_MAX} ${what}, the most it may have; remove one`

export const ALERT_OPERATIONS = {
  listAlerts: {
    method: 'GET',
    path: '/account/domains/{domain}/alerts',
    access: 'visits:read',
    summary: 'List the alerts of a domain',
    params: DomainPath,
    query: z.strictObject({ ...paging }),
    answer: AlertPage,
    errors: NO_DOMAIN,
  },
  listAlertChannels: {
    method: 'GET',
    path: '/account/domains/{domain}/alert-channels',
    access: 'domain:read',
    summary: 'List the receivers of alerts',
    params: DomainPath,
    answer: AlertChannels,
    errors: NO_DOMAIN,
  },
  addAlertChannel: {
    method: 'POST',
    path: '/account/domains/{domain}/alert-channels',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Add a receiver of alerts',
    params: DomainPath,
    body: AlertChannelAddition,
    answer: AlertChannel,
    status: 201,
    errors: { ...NO_DOMAIN, 409: full('receivers of alerts') },
  },
  changeAlertChannel: {
    method: 'PATCH',
    path: '/account/domains/{domain}/alert-channels/{channel_id}',
    access: 'settings:write',
    proof: 'recent',
    summary: 'Rename a receiver of alerts or replace its settings',
    params: ChannelPath,
    body: AlertChannelChange,
    answer: AlertChannel,
    errors: NO_CHANNEL,
  },
  removeAlertChannel: {
    method: 'DELETE',
    path: '/account/domains/{domain}/alert-channels/{channel_id}',
    access: 'settings:write',
    summary: 'Remove a receiver of alerts',
    description: 'Rules no longer send to it, and messages that wait for it are dropped.',
    params: ChannelPath,
    answer: 'nothing',
    errors: NO_CHANNEL,
  },
  testAlertChannel: {
    method: 'POST',
    path: '/account/domains/{domain}/alert-channels/{channel_id}/test',
    access: 'settings:write',
    summary: 'Send a test message to a receiver of alerts',
    description: TEST_SENDS,
    params: ChannelPath,
    answer: AlertTest,
    errors: { ...NO_CHANNEL, 429: 'too many requests' },
  },
  listAlertRules: {
    method: 'GET',
    path: '/account/domains/{domain}/alert-rules',
    access: 'domain:read',
    summary: 'List the rules for alerts',
    params: DomainPath,
    answer: AlertRules,
    errors: NO_DOMAIN,
  },
  addAlertRule: {
    method: 'POST',
    path: '/account/domains/{domain}/alert-rules',
    access: 'settings:write',
    summary: 'Add a rule for alerts',
    params: DomainPath,
    body: AlertRuleAddition,
    answer: AlertRule,
    status: 201,
    errors: { ...NO_DOMAIN, 409: full('rules for alerts') },
  },
  changeAlertRule: {
    method: 'PATCH',
    path: '/account/domains/{domain}/alert-rules/{alert_rule_id}',
    access: 'settings:write',
    summary: 'Change a rule for alerts',
    params: AlertRulePath,
    body: AlertRuleChange,
    answer: AlertRule,
    errors: NO_RULE,
  },
  muteAlertRule: {
    method: 'POST',
    path: '/account/domains/{domain}/alert-rules/{alert_rule_id}/mute',
    access: 'settings:write',
    summary: 'Mute a rule for alerts',
    description: 'What happens meanwhile is listed, but not sent, also not afterwards.',
    params: AlertRulePath,
    body: AlertMute,
    answer: AlertRule,
    errors: NO_RULE,
  },
  removeAlertRule: {
    method: 'DELETE',
    path: '/account/domains/{domain}/alert-rules/{alert_rule_id}',
    access: 'settings:write',
    summary: 'Remove a rule for alerts with its alerts',
    params: AlertRulePath,
    answer: 'nothing',
    errors: NO_RULE,
  },
} as const satisfies Record<string, AccountOperation>
