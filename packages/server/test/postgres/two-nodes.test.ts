import { randomUUID } from 'node:crypto'
import { HistoryPage, type HistoryRow, IdentificationScored } from '@inkling/contract'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/composition/config.ts'
import { startServer } from '../../src/composition/start-server.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { createLog } from '../../src/lib/log.ts'
import { ordinaryBody } from '../contract/bodies.ts'
import { openChannel } from '../open-channel.ts'
import { passNetworkCheck } from '../pass-network-check.ts'
import { getHistory, postSnapshot, runningServer, type TestServer } from '../running-server.ts'
import { databaseSettings } from '../test-database.ts'
import { webhookReceiver } from '../webhook-receiver.ts'

const PASSED = { network: { outcome: 'complete', answered: true } }
const BODY = ordinaryBody({ follow_up: true })

/** Two nodes on one database, and who gets their webhooks. */
async function nodes(areConnected: boolean) {
  const receiver = await webhookReceiver()
  const settingsOfOne = async () => ({
    TURN_PORT: String(await freePort('127.0.0.1')),
    ...(areConnected && { NODE_ADDRESS: `127.0.0.1:${await freePort('127.0.0.1')}` }),
  })
  const a = await runningServer({ endpoints: [receiver.url], settings: await settingsOfOne() })
  return { a, b: await anotherNode(a, await settingsOfOne()), receiver }
}

async function anotherNode(first: TestServer, settings: Record<string, string>): Promise<TestServer> {
  const port = await freePort('127.0.0.1')
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: first.directory,
    ...(await databaseSettings(first.directory)),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
    FEEDS: 'off',
    ...settings,
  })
  const server = await startServer(config, createLog('warn'))
  onTestFinished(() => server.close())
  return { ...first, port, url: `http://127.0.0.1:${port}` }
}

const rowOf = async (node: TestServer, requestId: string): Promise<HistoryRow> => {
  const [row] = HistoryPage.parse(await (await getHistory(node, `request_id/${requestId}`)).json()).data
  if (!row) throw new Error('no row')
  return row
}

/** The channel and the network check that it asks for at one node, the snapshot at another. */
async function scatteredVisit({ a, b }: Awaited<ReturnType<typeof nodes>>): Promise<string> {
  const requestId = randomUUID()
  const channel = await openChannel(a, requestId)
  await postSnapshot(b, requestId, BODY)
  await passNetworkCheck(channel.task)
  channel.report(PASSED)
  await channel.closed
  return requestId
}

test('a visit has all of its evidence, whichever nodes the balancer sends its connections to', async () => {
  const site = await nodes(true)
  const requestId = await scatteredVisit(site)
  const [delivery] = await site.receiver.count(1)
  const event = IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))
  expect(await rowOf(site.a, requestId)).toMatchObject({
    web_rtc_ip: '127.0.0.1',
    stun_request_seen: true,
    stun_flow_status: 'ok',
    is_stun_not_checked: false,
  })
  expect(event.data).toMatchObject({ local_ip: { ip: '127.0.0.1' } })
})

test('nodes without addresses keep what arrives elsewhere to themselves', async () => {
  const site = await nodes(false)
  const requestId = await scatteredVisit(site)
  await site.receiver.count(1)
  expect(await rowOf(site.a, requestId)).toMatchObject({ web_rtc_ip: '0.0.0.0', stun_flow_status: '' })
})
