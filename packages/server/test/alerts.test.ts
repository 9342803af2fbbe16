import { createHmac } from 'node:crypto'
import type { AlertCondition } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { recordHealthAlerts } from '../src/jobs/alerts/health-alerts.ts'
import { recordVolumeAlerts } from '../src/jobs/alerts/volume-alerts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/lib/durations.ts'
import { removeDomain } from '../src/store/domains/remove-domain.ts'
import { erase } from '../src/store/erasure/erase.ts'
import { alertSite, DASHBOARD_URL } from './alert-site.ts'
import { mailServer } from './mail-server.ts'
import { type Received, webhookReceiver } from './webhook-receiver.ts'

const DENIED: AlertCondition = { source: 'decision', action: 'deny' }
const bodyOf = (received: Received | undefined) => JSON.parse(received?.body.toString() ?? 'null')

test('an alert reaches a mail server and receivers of every kind, once, with a link and an ID', async () => {
  const mail = await mailServer()
  const hook = await webhookReceiver()
  const pager = await webhookReceiver(() => 202)
  const site = await alertSite({ smtpUrl: mail.url, pagerDutyUrl: pager.url })
  const secret = 'a secret of sixteen or more'
  const slack = await webhookReceiver(() => 200)
  const teams = await webhookReceiver(() => 202)
  const channels = [
    await site.channel({ kind: 'email', addresses: ['ann@shop.example', 'bob@shop.example'] }),
    await site.channel({ kind: 'slack', url: slack.url }),
    await site.channel({ kind: 'teams', url: teams.url }),
    await site.channel({ kind: 'pagerduty', routing_key: 'k'.repeat(32), region: 'eu' }),
    await site.channel({ kind: 'webhook', url: hook.url, secret }),
  ]
  await site.rule(DENIED, channels)
  await site.decided('allow')
  const requestId = await site.decided('deny', 'ann')
  for (let again = 0; again < 3; again += 1) {
    await site.collect()
    await site.send()
  }

  const [alert] = await site.alerts()
  const url = `${DASHBOARD_URL}/d/shop.example/identifications/${requestId}`
  expect(mail.received).toHaveLength(1)
  expect(mail.received[0]).toMatchObject({
    from: 'alerts@inkling.example',
    to: ['ann@shop.example', 'bob@shop.example'],
  })
  expect(mail.received[0]?.text).toContain(`Message-ID: <${alert?.uid}.1@inkling.example>`)
  expect(mail.received[0]?.text).toContain('Subject: [Inkling] Denied: shop.example')
  expect(mail.received[0]?.text).toContain('deny at signup (account ann)')

  for (const { received } of [slack, teams, pager, hook]) expect(received).toHaveLength(1)
  expect(bodyOf(slack.received[0]).blocks[0].block_id).toBe(`${alert?.uid}.1`)
  expect(bodyOf(slack.received[0]).blocks[1].text).toMatchObject({
    type: 'plain_text',
    text: 'deny at signup (account ann)',
  })
  expect(bodyOf(teams.received[0]).attachments[0].content.body[1].inlines[0].text).toBe(
    'deny at signup (account ann)',
  )
  expect(bodyOf(pager.received[0])).toMatchObject({
    routing_key: 'k'.repeat(32),
    event_action: 'trigger',
    dedup_key: alert?.uid,
    payload: { summary: 'Denied: shop.example', source: 'shop.example' },
  })
  expect(bodyOf(hook.received[0])).toMatchObject({
    id: `${alert?.uid}.1`,
    type: 'alert.opened',
    events: 1,
    lines: [{ text: 'deny at signup (account ann)', url }],
  })
  const signed = createHmac('sha256', secret)
    .update(hook.received[0]?.body ?? '')
    .digest('hex')
  expect(hook.received[0]?.headers['x-svc-signature']).toBe(`sha256=${signed}`)
  expect((await site.messages()).map(({ due_at, attempts }) => [due_at, attempts])).toEqual(
    channels.map(() => [null, 1]),
  )
})

test('events within the time of a group are one summary, and later ones are another alert', async () => {
  const hook = await webhookReceiver()
  const site = await alertSite()
  await site.rule(DENIED, [await site.channel({ kind: 'webhook', url: hook.url })])
  const round = async () => {
    await site.collect()
    await site.send()
  }
  await site.decided('deny', 'first')
  await round()
  for (let index = 0; index < 8; index += 1) {
    site.clock.nowMs += MINUTE_MS
    await site.decided('deny', `later-${index}`)
    await round()
  }
  expect(hook.received).toHaveLength(1)
  site.clock.nowMs += HOUR_MS
  await round()
  await round()
  expect(hook.received).toHaveLength(2)
  const [opened, summary] = hook.received.map(bodyOf)
  expect(summary).toMatchObject({ type: 'alert.summary', events: 9, more: 3, alert_id: opened.alert_id })
  expect(summary.lines.map(({ text }: { text: string }) => text)).toEqual(
    [0, 1, 2, 3, 4].map((index) => `deny at signup (account later-${index})`),
  )
  await site.decided('deny', 'next')
  await round()
  expect(hook.received).toHaveLength(3)
  expect(bodyOf(hook.received[2])).toMatchObject({ type: 'alert.opened', events: 1 })
  // A group without further events needs no summary.
  site.clock.nowMs += 2 * HOUR_MS
  await round()
  expect(hook.received).toHaveLength(3)
  expect(await site.alerts()).toMatchObject([
    { events: 9, open: 0 },
    { events: 1, open: 0 },
  ])
})

test.each([
  ['an event comes', true],
  ['nothing happens', false],
])('an alert that a clock opened which was ahead ends once the clock is right, if %s', async (_, comes) => {
  const hook = await webhookReceiver()
  const site = await alertSite()
  await site.rule(DENIED, [await site.channel({ kind: 'webhook', url: hook.url })])
  site.clock.nowMs += 365 * DAY_MS
  await site.decided('deny', 'then')
  await site.collect()
  site.clock.nowMs -= 365 * DAY_MS
  if (comes) await site.decided('deny', 'now')
  await site.collect()
  expect(await site.alerts()).toMatchObject([
    { events: 1, open: 0 },
    ...(comes ? [{ events: 1, open: 1, first_at: site.clock.nowMs }] : []),
  ])
})

test('what a receiver refused is sent after a restart, once, and what was sent is not sent again', async () => {
  let status = 503
  const hook = await webhookReceiver(() => status)
  const sent = await webhookReceiver()
  const site = await alertSite()
  await site.rule(DENIED, [
    await site.channel({ kind: 'webhook', url: hook.url }),
    await site.channel({ kind: 'webhook', url: sent.url }),
  ])
  await site.decided('deny')
  await site.collect()
  await site.send()
  expect([hook.received.length, sent.received.length]).toEqual([1, 1])
  const restarted = await site.otherNode()
  await restarted.collect()
  await restarted.send()
  expect(hook.received).toHaveLength(1)
  status = 204
  site.clock.nowMs += 11_000
  await restarted.collect()
  await restarted.send()
  await restarted.send()
  expect([hook.received.length, sent.received.length]).toEqual([2, 1])
  expect(bodyOf(hook.received[0])).toEqual(bodyOf(hook.received[1]))
  expect(await site.alerts()).toHaveLength(1)
})

test('a message that a process took before it died is sent by another one when its hold is over', async () => {
  const hook = await webhookReceiver()
  const site = await alertSite()
  await site.rule(DENIED, [await site.channel({ kind: 'webhook', url: hook.url })])
  await site.decided('deny')
  await site.collect()
  const held = site.clock.nowMs + 2 * MINUTE_MS
  await site.store.writes.updateTable('alert_deliveries').set({ due_at: held }).execute()
  const other = await site.otherNode()
  await other.send()
  expect(hook.received).toHaveLength(0)
  site.clock.nowMs = held
  await other.send()
  expect(hook.received).toHaveLength(1)
})

test('two nodes that collect and send at the same time send each message once', async () => {
  const hook = await webhookReceiver()
  const site = await alertSite()
  const channels = []
  for (let index = 0; index < 10; index += 1)
    channels.push(await site.channel({ kind: 'webhook', url: hook.url }))
  for (let index = 0; index < 4; index += 1) await site.rule(DENIED, channels, `Rule ${index}`)
  const other = await site.otherNode()
  for (let index = 0; index < 5; index += 1) await site.decided('deny', `account-${index}`)
  await Promise.all([site.collect(), other.collect(), site.collect()])
  await Promise.all([site.send(), other.send(), site.send(), other.send()])
  const ids = hook.received.map((received) => bodyOf(received).id)
  expect(ids).toHaveLength(40)
  expect((await site.alerts()).map(({ events }) => events)).toEqual([5, 5, 5, 5])
  const messages = await site.messages()
  expect(messages.every(({ attempts, sent_at }) => attempts === 1 && sent_at !== null)).toBe(true)
})

test('a receiver that keeps failing is tried again, later each time, and then given up with its last answer', async () => {
  const hook = await webhookReceiver(() => 500)
  const gone = await webhookReceiver(() => 410)
  const site = await alertSite()
  await site.rule(DENIED, [
    await site.channel({ kind: 'webhook', url: hook.url }),
    await site.channel({ kind: 'webhook', url: gone.url }),
    await site.channel({ kind: 'email', addresses: ['ann@shop.example'] }),
  ])
  await site.decided('deny')
  await site.collect()
  const waits: number[] = []
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await site.send()
    const [row] = await site.messages()
    if (row?.due_at === null || row?.due_at === undefined) break
    waits.push(row.due_at - site.clock.nowMs)
    site.clock.nowMs = row.due_at
  }
  expect(waits).toEqual([10_000, 30_000, 90_000, 270_000, 810_000, 2_430_000])
  expect([hook.received.length, gone.received.length]).toEqual([7, 1])
  expect(await site.messages()).toMatchObject([
    { attempts: 7, due_at: null, sent_at: null, answer: 'HTTP 500' },
    { attempts: 1, due_at: null, sent_at: null, answer: 'HTTP 410' },
    { attempts: 1, answer: 'this installation sends no e-mail: set SMTP_URL and ALERT_MAIL_FROM' },
  ])
})

test('a mail server that refuses for good is not asked again, one that is busy is', async () => {
  const refusals = [
    Object.assign(new Error('try later'), { responseCode: 451 }),
    Object.assign(new Error('no such user'), { responseCode: 550 }),
  ]
  const mail = await mailServer(() => refusals.shift())
  const site = await alertSite({ smtpUrl: mail.url })
  await site.rule(DENIED, [await site.channel({ kind: 'email', addresses: ['ann@shop.example'] })])
  await site.decided('deny')
  await site.collect()
  await site.send()
  expect(await site.messages()).toMatchObject([{ attempts: 1, answer: '451 try later' }])
  site.clock.nowMs += MINUTE_MS
  await site.send()
  expect(await site.messages()).toMatchObject([{ attempts: 2, due_at: null, answer: '550 no such user' }])
  expect(mail.received).toEqual([])
})

test('a muted rule lists what happens and sends nothing, also not afterwards', async () => {
  const hook = await webhookReceiver()
  const site = await alertSite()
  const rule = await site.rule(DENIED, [await site.channel({ kind: 'webhook', url: hook.url })])
  const round = async () => {
    await site.collect()
    await site.send()
  }
  await site.changeRule(rule, { muted_until: site.clock.nowMs + 30 * MINUTE_MS })
  await site.decided('deny', 'quiet')
  await round()
  expect(await site.alerts()).toMatchObject([{ muted: 1, events: 1 }])
  site.clock.nowMs += 31 * MINUTE_MS
  await site.decided('deny', 'loud')
  await round()
  expect(await site.alerts()).toMatchObject([
    { muted: 1, open: 0 },
    { muted: 0, open: 1 },
  ])
  expect(hook.received.map((received) => bodyOf(received).lines[0].text)).toEqual([
    'deny at signup (account loud)',
  ])
  // Muted while a group is open: its summary is not sent.
  await site.decided('deny', 'more')
  await round()
  await site.changeRule(rule, { muted_until: site.clock.nowMs + DAY_MS })
  site.clock.nowMs += 2 * HOUR_MS
  await round()
  expect(hook.received).toHaveLength(1)
  await site.changeRule(rule, { enabled: 0 })
  await site.decided('deny')
  await round()
  expect(await site.alerts()).toHaveLength(2)
})

test('a rule watches decisions of its action and its decision rule, from when it was added', async () => {
  const site = await alertSite()
  await site.decided('deny', 'before', 3)
  site.clock.nowMs += 1
  await site.rule({ source: 'decision', rule_id: 3 }, [])
  await site.decided('allow', 'by-rule', 3)
  await site.decided('deny', 'by-another', 4)
  await site.collect()
  expect((await site.events()).map(({ text }) => text)).toEqual(['allow at signup (account by-rule)'])
  expect(await site.messages()).toEqual([])
})

test('a decision that commits late, under a lower number, is not missed', async () => {
  const site = await alertSite()
  await site.rule(DENIED, [])
  await site.decided('deny', 'late')
  await site.decided('deny', 'early')
  const late = await site.store.writes
    .selectFrom('decisions')
    .selectAll()
    .where('account', '=', 'late')
    .executeTakeFirstOrThrow()
  await site.store.writes.deleteFrom('decisions').where('id', '=', late.id).execute()
  await site.collect()
  await site.store.writes.insertInto('decisions').values(late).execute()
  await site.collect()
  expect((await site.events()).map(({ text }) => text)).toEqual([
    'deny at signup (account early)',
    'deny at signup (account late)',
  ])
})

test('hours with more or fewer visits than a rule wants are told once', async () => {
  const site = await alertSite()
  const hour = site.clock.nowMs - HOUR_MS
  site.clock.nowMs -= 2 * HOUR_MS
  const volume = { source: 'volume', of: 'identifications', within: 'hour' } as const
  for (const [name, is, value] of [
    ['Over', 'over', 30],
    ['Under', 'under', 50],
    ['Times', 'times', 3],
    ['Rare', 'times', 9],
  ] as const)
    await site.rule({ ...volume, is, value }, [], name)
  const counted = (start: number, value: string, identifications: number) =>
    site.store.writes
      .insertInto('rollups')
      .values({
        ...{ domain_id: site.domainId, span_hours: 1, dimension: 'band', start, value, identifications },
        ...{ scored: identifications, score_sum: 0, points_sum: 0 },
      })
      .execute()
  await counted(hour, 'trusted', 30)
  await counted(hour, 'dangerous', 10)
  for (let day = 1; day <= 7; day += 1) await counted(hour - day * DAY_MS, 'trusted', 8)
  site.clock.nowMs = hour + HOUR_MS + 11 * MINUTE_MS
  for (let again = 0; again < 2; again += 1) await recordVolumeAlerts(site.store, site.clock.nowMs)
  const texts = (await site.events()).map(({ text }) => text).sort()
  expect(texts).toEqual([
    '40 visits in the hour from 2026-11-21T11:00:00.000Z, 5.0 times the usual',
    '40 visits in the hour from 2026-11-21T11:00:00.000Z, fewer than 50',
    '40 visits in the hour from 2026-11-21T11:00:00.000Z, more than 30',
  ])
})

test('a health check is told when it turns bad, not while it stays bad or swings, and of no other domain', async () => {
  const site = await alertSite()
  await site.rule({ source: 'health', state: 'problem' }, [])
  const look = (...bad: string[]) =>
    recordHealthAlerts(site.store, {
      nowMs: site.clock.nowMs,
      readHealth: () =>
        Promise.resolve((sees) => [
          { check: 'feeds', state: 'warn', detail: 'FEEDS is off', advice: '' } as const,
          ...[...bad, ...(sees('other.example') ? ['volume of other.example'] : [])].map(
            (check) => ({ check, state: 'problem', detail: 'is full', advice: '' }) as const,
          ),
        ]),
    })
  await look('disk')
  site.clock.nowMs += MINUTE_MS
  await look('disk', 'retention')
  for (const bad of [[], ['retention'], []]) {
    site.clock.nowMs += MINUTE_MS
    await look(...bad)
  }
  expect((await site.events()).map(({ text }) => text)).toEqual(['retention (problem): is full'])
  site.clock.nowMs += 20 * MINUTE_MS
  await look()
  site.clock.nowMs += MINUTE_MS
  await look('disk')
  expect((await site.events()).map(({ text }) => text)).toEqual([
    'retention (problem): is full',
    'disk (problem): is full',
  ])
  // A clock that is ahead once silences no check until then.
  site.clock.nowMs += 365 * DAY_MS
  await look('disk')
  site.clock.nowMs -= 365 * DAY_MS - HOUR_MS
  await look()
  site.clock.nowMs += HOUR_MS
  await look('disk')
  expect(await site.events()).toHaveLength(3)
})

test('an erasure removes what alerts say about an account, before and after it was sent', async () => {
  const hook = await webhookReceiver()
  const site = await alertSite()
  await site.rule(DENIED, [await site.channel({ kind: 'webhook', url: hook.url })])
  await site.decided('deny', 'ann')
  await site.decided('deny', 'bob')
  await site.collect()
  await erase(site.store, site.domainId, { type: 'user_hid', value: 'ann' })
  await site.send()
  expect(bodyOf(hook.received[0]).lines).toMatchObject([{ text: 'deny at signup (account bob)' }])
  await erase(site.store, site.domainId, { type: 'user_hid', value: 'bob' })
  expect(await site.events()).toEqual([])
})

test('a removed domain leaves nothing of its alerts', async () => {
  const site = await alertSite()
  await site.rule(DENIED, [await site.channel({ kind: 'webhook', url: 'https://hooks.example/' })])
  await site.decided('deny')
  await site.collect()
  await removeDomain(
    site.store,
    { id: site.domainId, name: 'shop.example' },
    { nowMs: site.clock.nowMs, actor: 'test' },
  )
  for (const table of [
    'alert_channels',
    'alert_rules',
    'alerts',
    'alert_events',
    'alert_deliveries',
  ] as const)
    expect(await site.store.reads.selectFrom(table).select('domain_id').execute(), table).toEqual([])
})
