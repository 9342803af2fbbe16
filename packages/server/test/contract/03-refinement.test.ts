import { randomUUID } from 'node:crypto'
import { IdentificationScored } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/composition/config.ts'
import type { TurnSighting } from '../../src/visit/network-evidence.ts'
import { openChannel } from '../open-channel.ts'
import { runningServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody, readingsOnWire } from './bodies.ts'
import { createdAtMs, identify, rowOf } from './callers.ts'
import { evidence, PACKETS } from './evidence.ts'
import { type ObservedVisits, startObservedVisits, WAIT } from './observed-visits.ts'
import { loggedDeliveries } from './operator.ts'
import { ADDRESSES } from './roomy-settings.ts'

const { automation: _slow, ...withoutAutomation } = readingsOnWire()
/** One reading takes longer than the snapshot waits. */
const WITHOUT_AUTOMATION = JSON.stringify({ version: 1, follow_up: true, readings: withoutAutomation })
const NO_CHECK = { outcome: 'unsupported', answered: false }

describe('1.5 follow-up checks', () => {
  const started = async (settings: Record<string, string> = {}) => {
    const receiver = await webhookReceiver()
    const server = await runningServer({ settings, endpoints: [receiver.url] })
    const requestId = randomUUID()
    return { receiver, server, requestId }
  }

  test('the row exists at once and is updated by them; the webhook waits for them and is sent once', async () => {
    const { receiver, server, requestId } = await started()
    const channel = await openChannel(server, requestId)
    await identify(server, requestId, WITHOUT_AUTOMATION)
    const first = await rowOf(server, requestId)
    expect(first.ver).toBe(createdAtMs(first))
    expect(receiver.received).toHaveLength(0)

    channel.report({
      network: NO_CHECK,
      readings: { automation: { value: { webdriver: true, markers: [] } } },
    })
    const [delivery] = await receiver.count(1)
    const { data } = IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))
    const refined = await rowOf(server, requestId)
    expect([first.score, refined.score, data.risk_score]).toEqual([0, 60, 60])
    expect(refined.ver).toBeGreaterThan(first.ver)
    expect(refined.created_at).toBe(first.created_at)
    expect(await loggedDeliveries(server, 1)).toHaveLength(1)
  })

  test('the webhook waits no longer than the window, which is ten seconds by default', async () => {
    expect(readConfig({}).FOLLOW_UP_SECONDS).toBe(10)
    const { receiver, server, requestId } = await started({ FOLLOW_UP_SECONDS: '1' })
    await openChannel(server, requestId)
    await identify(server, requestId, WITHOUT_AUTOMATION)
    const [delivery] = await receiver.count(1)
    const { created_at, data } = IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))
    const waitedMs = Date.parse(created_at) - Date.parse(data.observed_at)
    expect(waitedMs).toBeGreaterThanOrEqual(900)
    expect(waitedMs).toBeLessThan(10_000)
  })

  test('a page without them waits for nothing', async () => {
    const { receiver, server, requestId } = await started()
    await identify(server, requestId, ordinaryBody())
    await receiver.count(1)
    const row = await rowOf(server, requestId)
    expect(row.ver).toBe(createdAtMs(row))
  })
})

describe('S3.9 a late network result', () => {
  let visits: ObservedVisits
  beforeAll(async () => {
    visits = await startObservedVisits()
  })
  afterAll(() => visits.close())

  const PACKET: TurnSighting = {
    address: ADDRESSES.home,
    port: 50_000,
    transport: 'udp',
    roundTripMs: 20,
    engine: 'libwebrtc',
  }

  /** A visit whose network check reached nobody, up to its event. */
  async function missed() {
    const requestId = await visits.visit({ followUp: true, network: evidence({ syn: PACKETS.windows }) })
    visits.followUps.open(requestId)
    visits.followUps.addRoundTrips(requestId, undefined)
    visits.followUps.addReport(requestId, {
      network: { outcome: 'complete', answered: false },
      readings: undefined,
    })
    return { requestId, ...(await visits.read(requestId)) }
  }

  /** The row once it is newer than the given version. */
  const rowAfter = (requestId: string, ver: number) =>
    vi.waitFor(async () => {
      const row = await rowOf(visits.server, requestId)
      if (row.ver <= ver) throw new Error('the row is as it was')
      return row
    }, WAIT)

  test('S3 a check without a packet is stun_not_checked', async () => {
    const { row, data } = await missed()
    expect(JSON.parse(row.score_details)).toEqual([{ Value: 30, Description: 'Stun is not checked' }])
    expect(row).toMatchObject({ score: 30, is_stun_not_checked: true })
    expect(data).toMatchObject({
      signals: [{ name: 'stun_not_checked', weight: 30 }],
      detection_flags: { stun_not_checked: true },
    })
  })

  test('adds stun_late_correction, clears the flag and raises ver, without a second webhook', async () => {
    const { requestId, row } = await missed()
    visits.followUps.addSighting(requestId, PACKET)
    const corrected = await rowAfter(requestId, row.ver)
    expect(JSON.parse(corrected.score_details)).toEqual([
      { Value: 30, Description: 'Stun is not checked' },
      { Value: -30, Description: 'Stun passed (late arrival, corrected)' },
    ])
    expect(corrected).toMatchObject({
      score: 0,
      is_stun_not_checked: false,
      stun_request_seen: true,
      web_rtc_ip: ADDRESSES.home,
      created_at: row.created_at,
    })
    expect((await visits.read(requestId)).events).toBe(1)
  })

  test('3 each refinement raises ver', async () => {
    const { requestId, row } = await missed()
    visits.followUps.addSighting(requestId, PACKET)
    const second = await rowAfter(requestId, row.ver)
    visits.followUps.addSighting(requestId, { ...PACKET, transport: 'tcp' })
    const third = await rowAfter(requestId, second.ver)
    expect(third.score).toBe(0)
    expect((await visits.read(requestId)).events).toBe(1)
  })
})
