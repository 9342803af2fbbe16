import { networkInterfaces } from 'node:os'
import { Explanation, HistoryPage, type HistoryRow, IdentificationScored, NO_IPV4 } from '@inkling/contract'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeBrowsers } from '../../../test/browsers.ts'
import { freePort } from '../src/lib/free-port.ts'
import { pageServer } from './page-server.ts'
import { getHistory, runningServer, type TestServer } from './running-server.ts'
import { webhookReceiver } from './webhook-receiver.ts'

const Turn = z.object({ sightings: z.array(z.object({ transport: z.string(), address: z.string() })) })

/** Firefox excludes the loopback interface from its checks by default. */
const FIREFOX_LOOPBACK = { firefoxUserPrefs: { 'media.peerconnection.ice.loopback': true } }

const explanationOf = async ({ url, keys }: TestServer, requestId: string) =>
  (
    await fetch(`${url}/api/v1/explanation/${requestId}`, {
      headers: { authorization: `Bearer ${keys.api_key}` },
    })
  ).json()

describeBrowsers('the network check', (browser) => {
  test('is sighted over UDP and TCP for its request, updates the row, and the event is sent once, afterwards', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer({
      domain: 'localhost',
      endpoints: [receiver.url],
      settings: { TURN_PORT: String(await freePort('127.0.0.1')) },
    })
    const launched = await browser.launch(browser.name === 'firefox' ? FIREFOX_LOOPBACK : {})
    onTestFinished(() => launched.close())
    const page = await launched.newPage()
    await page.goto(await pageServer())
    const acknowledged = page.waitForResponse((response) => response.url().includes('/snapshot/'))
    const requestId = String(
      await page.evaluate(`import('${server.url}/agent.js?publicKey=${server.keys.public_key}').then((agent) =>
        new Promise((resolve) => agent.forceCheckAnonymous({ onInitialized: (given) => resolve(given.requestID) })))`),
    )
    expect((await acknowledged).status()).toBe(200)
    const [delivery] = await receiver.count(1)
    const event = IdentificationScored.parse(JSON.parse(delivery?.body.toString() ?? ''))
    const row: HistoryRow | undefined = HistoryPage.parse(
      await (await getHistory(server, `request_id/${requestId}`)).json(),
    ).data[0]

    const { network } = Explanation.parse(await explanationOf(server, requestId))
    const { sightings } = Turn.parse(network?.turn?.value)
    expect(sightings.map(({ transport }) => transport).sort()).toEqual(['tcp', 'udp'])
    for (const { address } of sightings) expect(ownAddresses()).toContain(address)
    // Firefox sends from the address of an interface, also to a loopback address, with which it cannot be compared.
    const isCompared = sightings.some(({ address }) => address === row?.ip)
    expect(event.data.local_ip.ip).toBe(isCompared ? row?.ip : '')
    expect(row).toMatchObject({
      web_rtc_ip: isCompared ? row?.ip : NO_IPV4,
      web_rtc_connection_type: isCompared ? 'srflx' : '',
      webrtc_leak_source: 'none',
      stun_request_seen: true,
      is_stun_not_checked: false,
      is_proxy: false,
    })
    expect(row?.ver).toBeGreaterThan(Date.parse(`${row?.created_at.replace(' ', 'T')}Z`))
    expect(event.data).toMatchObject({ request_id: requestId, risk_score: row?.score })
    expect(receiver.received).toHaveLength(1)
  })
})

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address))
