import { randomUUID } from 'node:crypto'
import type { ReadingName, ReadingValues, SearchType } from '@inkling/contract'
import {
  AlertChannel,
  AlertRule,
  IdentificationList,
  NewEndpoint,
  PatternFindings,
  SavedView,
} from '@inkling/contract/account'
import { expect } from 'vitest'
import { runPatterns } from '../../src/jobs/patterns/run-patterns.ts'
import { ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { historyPage, identify } from '../contract/callers.ts'
import { rawRequest } from '../contract/raw-request.ts'
import { ADDRESSES, from } from '../contract/roomy-settings.ts'
import type { Receiver } from '../webhook-receiver.ts'
import { type GuardedServer, OURS } from './guarded-server.ts'

/** Data of a domain, by the identifiers with which another domain could request it. */
export interface Belongings {
  identifiers: Record<SearchType, readonly string[]>
  /** Readings of the device that all its visits come from. */
  device: { [Name in ReadingName]?: ReadingValues[Name] }
  endpoints: readonly number[]
  findings: readonly number[]
  alertChannels: readonly number[]
  alertRules: readonly number[]
  views: readonly string[]
  /** Cursors of its lists. */
  cursors: readonly string[]
  /** Texts that must not appear in responses to another domain. */
  marks: readonly string[]
}

/** A clock that stands still, so that views of unchanged data are equal. */
export const standingClock = (): number => Date.UTC(2026, 10, 21, 12, 30)
const RANGE = 'from=2026-11-01T00:00:00Z&to=2026-11-30T00:00:00Z'

const BASE = `/account/domains/${OURS}`
/** Enough accounts on one device for a finding. */
const ACCOUNTS = 12

/** Fills our domain with visits of one device with many accounts, a webhook endpoint, findings, rules and alerts. */
export async function fillDomain(server: GuardedServer, receiver: Receiver): Promise<Belongings> {
  const added = await server.account('POST', `${BASE}/endpoints`, { body: { url: receiver.url } })
  const endpoint = NewEndpoint.parse(added.json)
  await server.account('POST', `${BASE}/rules`, { body: { weights: { tor: 31 }, note: 'ours alone' } })
  const alerts = await addAlerts(server)
  const view = { page: 'identifications', name: 'ours alone to see', search: 'band=dangerous', shared: true }
  const saved = SavedView.parse((await server.account('POST', `${BASE}/views`, { body: view })).json)
  const device = uniqueDevice()
  const [cookieId, sessionId] = [randomUUID(), randomUUID()]
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const given = { cookie_id: cookieId, session_id: sessionId, user_hid: `account-${index}` }
    await identify(server, randomUUID(), ordinaryBody(given, device), from(ADDRESSES.home))
  }
  await receiver.count(ACCOUNTS)
  await runPatterns(server.store, { settledAfterMs: 0, now: standingClock, stopped: () => false })

  const { data } = await historyPage(server, 'everything/x?limit=100')
  const list = IdentificationList.parse((await server.account('GET', `${BASE}/identifications?limit=5`)).json)
  const patterns = PatternFindings.parse((await server.account('GET', `${BASE}/patterns?state=all`)).json)
  expect(data).toHaveLength(ACCOUNTS)
  expect(patterns.data.length).toBeGreaterThan(0)
  const all = (name: SearchType): string[] => [...new Set(data.map((row) => String(row[name])))]
  const identifiers = {
    request_id: all('request_id').slice(0, 4),
    device_id: all('device_id'),
    visitor_id: all('visitor_id'),
    cookie_id: [cookieId],
    session_id: [sessionId],
    user_hid: all('user_hid').slice(0, 4),
    ip: all('ip'),
  }
  return {
    identifiers,
    device,
    endpoints: [endpoint.id],
    findings: patterns.data.map(({ id }) => id),
    alertChannels: [alerts.channel],
    alertRules: [alerts.rule],
    views: [saved.id],
    cursors: [list.next ?? ''],
    marks: [
      ...all('request_id'),
      ...identifiers.device_id,
      ...identifiers.visitor_id,
      receiver.url,
      endpoint.secret,
      'ours alone',
      ...ALERT_MARKS,
      saved.id,
      server.keys.secret_key,
      server.keys.api_key,
    ],
  }
}

const ALERT_MARKS = ['our own receivers', 'alerts-of-ours.example', 'our own alerts']

/** A channel and a rule. It is off, so that what it sends does not change while other domains try theirs. */
async function addAlerts(server: GuardedServer): Promise<{ channel: number; rule: number }> {
  const [channelName, host, ruleName] = ALERT_MARKS
  const settings = { kind: 'webhook', url: `https://${host}/` }
  const channel = await server.account('POST', `${BASE}/alert-channels`, {
    body: { name: channelName, settings },
  })
  const added = AlertChannel.parse(channel.json)
  const when = { source: 'finding', patterns: [], grade: 'suspicious' }
  const rule = await server.account('POST', `${BASE}/alert-rules`, {
    body: { name: ruleName, when, channels: [added.id], enabled: false },
  })
  return { channel: added.id, rule: AlertRule.parse(rule.json).id }
}

/** The responses of every route that returns data of our domain. */
export async function viewOfOurs(server: GuardedServer, ours: Belongings): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  const { keys } = server
  const byKey = { authorization: `Bearer ${keys.api_key}` }
  for (const path of ['everything/x?limit=100', `ip/${ADDRESSES.home}`, 'user_hid/account-0'])
    seen[path] = (await rawRequest(server, { path: `/api/v1/history/${path}`, headers: byKey })).text
  for (const requestId of ours.identifiers.request_id) {
    const path = `/api/v1/explanation/${requestId}`
    seen[path] = (await rawRequest(server, { path, headers: byKey })).text
    seen[requestId] = (await server.account('GET', `${BASE}/identifications/${requestId}`)).text
  }
  seen.profile = (await rawRequest(server, { path: `/${OURS}:${keys.secret_key}/profile` })).text
  for (const path of [
    '',
    '/identifications?limit=100',
    `/entity?type=ip&value=${ADDRESSES.home}`,
    `/entity?type=device_id&value=${ours.identifiers.device_id[0]}`,
    `/device-changes?device_id=${ours.identifiers.device_id[0]}`,
    `/device-comparison?a=${ours.identifiers.device_id[0]}&b=${ours.identifiers.device_id[0]}`,
    `/find?q=${ours.identifiers.device_id[0]?.slice(0, 8)}`,
    `/overview?${RANGE}`,
    '/patterns?state=all',
    ...ours.findings.map((finding) => `/patterns/${finding}`),
    '/views',
    '/endpoints',
    ...ours.endpoints.map((endpoint) => `/endpoints/${endpoint}/deliveries?limit=100`),
    '/rules',
    '/alert-channels',
    '/alert-rules',
    '/alerts',
    '/back-test',
    '/privacy/export?type=user_hid&value=account-0',
  ])
    seen[path] = (await server.account('GET', `${BASE}${path}`)).text
  return seen
}
