import { AlertChannels, AlertPage, AlertRules } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { accountSurface } from '../../test/account/account-surface.ts'
import { identified } from '../../test/identified.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import { registerDomain } from '../auth/register-domain.ts'
import { runPatterns } from '../jobs/patterns/run-patterns.ts'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { alertRuleStore } from '../store/alerts/alert-rules.ts'
import { domainStore } from '../store/domains/domains.ts'
import { removeOlder } from '../store/identifications/remove-identifications.ts'

const BASE = '/account/domains/shop.example'
const DANGEROUS = { source: 'finding', patterns: [], grade: 'suspicious' } as const

async function shop() {
  const surface = await accountSurface()
  const { ask, tokens } = surface
  return {
    ...surface,
    send: (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
      ask({ method, url: `${BASE}${path}`, ...(payload && { payload }) }),
    channels: async () =>
      AlertChannels.parse((await ask({ url: `${BASE}/alert-channels`, token: tokens.analyst })).json()),
    rules: async () =>
      AlertRules.parse((await ask({ url: `${BASE}/alert-rules`, token: tokens.analyst })).json()),
    alerts: async () =>
      AlertPage.parse((await ask({ url: `${BASE}/alerts`, token: tokens.analyst })).json()).data,
  }
}

/** Adds as many as there may be. */
async function fill<Answer extends { statusCode: number }>(add: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let count = 0; count < 50; count++) answers.push(await add())
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
  return answers
}

test('a domain has fifty receivers of alerts and fifty rules for them, and no more', async () => {
  const { send, channels, rules } = await shop()
  const settings = { kind: 'email', addresses: ['ann@shop.example'] }
  const addChannel = () => send('POST', '/alert-channels', { name: 'Ann', settings })
  const [channel] = await fill(addChannel)
  const { id } = channel?.json() ?? {}
  const addRule = () => send('POST', '/alert-rules', { name: 'Danger', when: DANGEROUS, channels: [id] })
  await fill(addRule)
  for (const [add, what] of [
    [addChannel, 'receivers of alerts'],
    [addRule, 'rules for alerts'],
  ] as const) {
    const refused = await add()
    const error = `the domain has 50 ${what}, the most it may have; remove one`
    expect([refused.statusCode, refused.json()]).toEqual([409, { error }])
  }
  expect([(await channels()).channels.length, (await rules()).length]).toEqual([50, 50])
})

test('what a channel sends to is stored sealed, and neither an answer nor the audit log has it', async () => {
  const { send, channels, store, actions } = await shop()
  const secrets = ['TXXX/BXXX/hidden-path', 'q'.repeat(28), 'a signing secret, long']
  const settings = [
    { kind: 'slack', url: `https://hooks.slack.com/services/${secrets[0]}` },
    { kind: 'pagerduty', routing_key: `${secrets[1]}1234`, region: 'eu' },
    { kind: 'webhook', url: 'https://hooks.example/in?key=hidden', secret: secrets[2] },
    { kind: 'email', addresses: ['ann@shop.example'] },
  ]
  const answers = []
  for (const one of settings)
    answers.push(await send('POST', '/alert-channels', { name: one.kind, settings: one }))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
  const listed = await channels()
  expect(listed.can_mail).toBe(false)
  expect(listed.channels.map(({ target, signed }) => [target, signed])).toEqual([
    ['hooks.slack.com', false],
    ['…1234', false],
    ['hooks.example', true],
    ['ann@shop.example', false],
  ])
  await send('PATCH', `/alert-channels/${listed.channels[0]?.id}`, { name: 'Team', settings: settings[2] })
  const stored = JSON.stringify([
    answers.map(({ body }) => body),
    await channels(),
    await store.reads.selectFrom('audit').selectAll().execute(),
    (await store.reads.selectFrom('alert_channels').selectAll().execute()).map((row) => ({
      ...row,
      sealed_settings: Buffer.from(row.sealed_settings).toString(),
    })),
  ])
  for (const secret of [...secrets, 'hidden']) expect(stored).not.toContain(secret)
  expect((await actions()).slice(0, 5)).toEqual([
    'alert_channels.change',
    ...settings.map(() => 'alert_channels.add'),
  ])
})

test('a test message reaches the receiver, and its answer is told', async () => {
  const { send, actions } = await shop()
  const hook = await webhookReceiver()
  const refusing = await webhookReceiver(() => 403)
  const add = async (settings: object) =>
    (await send('POST', '/alert-channels', { name: 'x', settings })).json().id
  const results = []
  for (const settings of [
    { kind: 'webhook', url: hook.url },
    { kind: 'teams', url: refusing.url },
    { kind: 'email', addresses: ['ann@shop.example'] },
  ])
    results.push((await send('POST', `/alert-channels/${await add(settings)}/test`)).json())
  expect(results).toMatchObject([
    { delivered: true, answer: 'HTTP 204' },
    { delivered: false, answer: 'HTTP 403' },
    { delivered: false, answer: 'this installation sends no e-mail: set SMTP_URL and ALERT_MAIL_FROM' },
  ])
  expect(JSON.parse(hook.received[0]?.body.toString() ?? '')).toMatchObject({
    type: 'alert.test',
    domain: 'shop.example',
  })
  expect((await actions())[0]).toBe('alert_channels.test')
})

test('a channel takes no address that means more than itself, and no URL that webhooks may not have', async () => {
  const { send } = await shop()
  for (const settings of [
    { kind: 'email', addresses: ['ann@shop.example,bob@shop.example'] },
    { kind: 'email', addresses: ['ann@shop.example\r\nBcc: x@y.example'] },
    { kind: 'email', addresses: ['<ann@shop.example>'] },
    { kind: 'slack', url: 'ftp://hooks.example/' },
    { kind: 'slack', url: 'https://user:password@hooks.example/' },
    { kind: 'pagerduty', routing_key: 'short', region: 'us' },
  ])
    expect(
      (await send('POST', '/alert-channels', { name: 'x', settings })).statusCode,
      JSON.stringify(settings),
    ).toBe(400)
})

test('a new finding is an alert with a link to it, and goes with its visits', async () => {
  const { send, alerts, rules, record, store, clock, domainId } = await shop()
  await send('POST', '/alert-rules', { name: 'Patterns', when: DANGEROUS, channels: [] })
  await send('POST', '/alert-rules', {
    name: 'Others',
    when: { ...DANGEROUS, patterns: ['shared_local_ip'] },
    channels: [],
  })
  const identity = { ...identified().identity, deviceId: '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e' }
  for (let index = 0; index < 9; index += 1)
    await record({ userHid: `account-${index}`, identity, atMs: clock.nowMs - (index + 1) * HOUR_MS })
  for (let again = 0; again < 2; again += 1)
    await runPatterns(store, { settledAfterMs: 0, now: () => clock.nowMs })
  const [alert, ...others] = await alerts()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ rule: 'Patterns', source: 'finding', events: 1, open: true, deliveries: [] })
  expect(alert?.lines).toMatchObject([
    {
      text: `Many accounts on one device: suspicious, 9 (device_id ${identity.deviceId})`,
      path: '/d/shop.example/patterns/1',
    },
  ])
  await removeOlder(store, clock.nowMs)
  expect((await alerts())[0]).toMatchObject({ events: 1, lines: [] })
  await store.writes.updateTable('alerts').set({ open: 0 }).execute()
  await removeOlder(store, clock.nowMs + DAY_MS)
  expect(await alerts()).toEqual([])
  expect((await rules()).length).toBe(2)
  expect(domainId).toBeGreaterThan(0)
})

test('a rule is added, changed, muted and removed, and forgets a channel that is removed', async () => {
  const { send, rules, actions, clock } = await shop()
  const settings = { kind: 'webhook', url: 'https://hooks.example/' }
  const channel = (await send('POST', '/alert-channels', { name: 'x', settings })).json().id
  const added = await send('POST', '/alert-rules', { name: 'Findings', when: DANGEROUS, channels: [channel] })
  const { id } = added.json()
  expect(added.json()).toMatchObject({
    group_minutes: 60,
    enabled: true,
    muted_until: null,
    channels: [channel],
  })
  await send('PATCH', `/alert-rules/${id}`, { group_minutes: 5, name: 'Patterns' })
  const muted = (await send('POST', `/alert-rules/${id}/mute`, { hours: 2 })).json()
  expect(muted).toMatchObject({ name: 'Patterns', group_minutes: 5 })
  expect(Date.parse(muted.muted_until)).toBe(clock.nowMs + 2 * HOUR_MS)
  expect((await send('POST', `/alert-rules/${id}/mute`, { hours: 0 })).json().muted_until).toBeNull()
  await send('DELETE', `/alert-channels/${channel}`)
  expect((await rules())[0]?.channels).toEqual([])
  expect((await send('DELETE', `/alert-rules/${id}`)).statusCode).toBe(204)
  expect(await rules()).toEqual([])
  expect((await actions()).slice(0, 3)).toEqual([
    'alert_rules.remove',
    'alert_channels.remove',
    'alert_rules.mute',
  ])
})

test('channels and rules of another domain do not exist', async () => {
  const { send, store, ask } = await shop()
  await registerDomain(store, 'other.example', Date.UTC(2026, 0))
  const other = await domainStore(store.reads).find('other.example')
  const add = (path: string, payload: object) =>
    ask({ method: 'POST', url: `/account/domains/other.example${path}`, payload })
  const settings = { kind: 'webhook', url: 'https://hooks.example/' }
  const channel = (await add('/alert-channels', { name: 'x', settings })).json().id
  const rule = (await add('/alert-rules', { name: 'x', when: DANGEROUS, channels: [channel] })).json().id
  const tried = [
    await send('PATCH', `/alert-channels/${channel}`, { name: 'ours' }),
    await send('POST', `/alert-channels/${channel}/test`),
    await send('DELETE', `/alert-channels/${channel}`),
    await send('PATCH', `/alert-rules/${rule}`, { name: 'ours' }),
    await send('POST', `/alert-rules/${rule}/mute`, { hours: 1 }),
    await send('DELETE', `/alert-rules/${rule}`),
  ]
  expect(tried.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404, 404])
  const stolen = await send('POST', '/alert-rules', { name: 'x', when: DANGEROUS, channels: [channel] })
  expect(stolen.statusCode).toBe(400)
  expect(await alertRuleStore(store.reads).list(other?.id ?? 0)).toMatchObject([
    { name: 'x', muted_until: null },
  ])
})
