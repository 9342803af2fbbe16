import type { ALERT_OPERATIONS, Alert, AlertChannel, AlertRule } from './alerts.ts'
import type { Examples } from './operation.ts'

const CHANNEL: AlertChannel = {
  id: 3,
  name: 'Fraud team',
  kind: 'slack',
  target: 'hooks.slack.com',
  signed: false,
  created_at: '2026-10-02T09:30:00.000Z',
}
const RULE: AlertRule = {
  id: 5,
  name: 'Dangerous patterns',
  when: { source: 'finding', patterns: [], grade: 'dangerous' },
  channels: [CHANNEL.id],
  group_minutes: 60,
  enabled: true,
  muted_until: null,
  created_at: '2026-10-02T09:31:00.000Z',
}
const ALERT: Alert = {
  id: 17,
  rule_id: RULE.id,
  rule: RULE.name,
  source: 'finding',
  events: 1,
  first_at: '2026-10-08T14:23:00.000Z',
  last_at: '2026-10-08T14:23:00.000Z',
  open: true,
  muted: false,
  lines: [
    {
      at: '2026-10-08T14:23:00.000Z',
      text: 'Many accounts on one device: dangerous, 12',
      path: '/d/brewline.example/patterns/4',
    },
  ],
  deliveries: [
    {
      channel_id: CHANNEL.id,
      channel: CHANNEL.name,
      part: 'first',
      state: 'sent',
      attempts: 1,
      at: '2026-10-08T14:23:01.204Z',
      answer: 'HTTP 200',
    },
  ],
}
const SLACK = { kind: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX' } as const
const { name, when, channels } = RULE

export const ALERT_EXAMPLES: Examples<typeof ALERT_OPERATIONS> = {
  listAlerts: { answer: { data: [ALERT], next: null } },
  listAlertChannels: { answer: { channels: [CHANNEL], can_mail: true } },
  addAlertChannel: { body: { name: CHANNEL.name, settings: SLACK }, answer: CHANNEL },
  changeAlertChannel: { body: { name: 'On call' }, answer: { ...CHANNEL, name: 'On call' } },
  removeAlertChannel: {},
  testAlertChannel: { answer: { delivered: true, answer: 'HTTP 200', duration_ms: 182 } },
  listAlertRules: { answer: [RULE] },
  addAlertRule: { body: { name, when, channels }, answer: RULE },
  changeAlertRule: { body: { group_minutes: 15 }, answer: { ...RULE, group_minutes: 15 } },
  muteAlertRule: {
    body: { hours: 8 },
    answer: { ...RULE, muted_until: '2026-10-08T22:23:00.000Z' },
  },
  removeAlertRule: {},
}
