import { randomBytes, randomUUID } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeBrowsers } from '../../../../../test/browsers.ts'
import { pageServer } from '../../../test/page-server.ts'
import { openTurnResponder, type RequestSighting } from './turn-responder.ts'

/** Firefox excludes the loopback interface from its checks by default. */
const FIREFOX_LOOPBACK = { firefoxUserPrefs: { 'media.peerconnection.ice.loopback': true } }

/** As text: the types of a page are not those of the server. Answers with the codes of the errors. */
const GATHER = `async (iceServers) => {
  const connection = new RTCPeerConnection({ iceTransportPolicy: 'relay', iceServers })
  const codes = []
  connection.onicecandidateerror = ({ errorCode }) => codes.push(errorCode)
  const complete = new Promise((resolve) => {
    connection.onicegatheringstatechange = () => {
      if (connection.iceGatheringState === 'complete') resolve()
    }
  })
  connection.createDataChannel('check')
  await connection.setLocalDescription()
  await complete
  connection.close()
  return codes
}`

describeBrowsers('a network check', (browser) => {
  test('sends from the address of the request over UDP and TCP, and is recognised by its engine', async () => {
    const seen: RequestSighting[] = []
    const responder = await openTurnResponder({
      host: '127.0.0.1',
      port: 0,
      secret: randomBytes(32),
      now: Date.now,
      monotonicMs: () => performance.now(),
      onSighting: (sighting) => seen.push(sighting),
      onMessage: () => undefined,
    })
    onTestFinished(() => responder.close())
    const requestId = randomUUID()
    const launched = await browser.launch(browser.name === 'firefox' ? FIREFOX_LOOPBACK : {})
    onTestFinished(() => launched.close())
    const page = await launched.newPage()
    await page.goto(await pageServer())

    const iceServers = ['udp', 'tcp'].map((transport) => ({
      urls: [`turn:127.0.0.1:${responder.port}?transport=${transport}`],
      ...responder.credentialsFor(requestId),
    }))
    const codes = z.array(z.number()).parse(await page.evaluate(`(${GATHER})(${JSON.stringify(iceServers)})`))
    seen.sort((a, b) => a.sighting.transport.localeCompare(b.sighting.transport))
    const engine = browser.name === 'chromium' ? 'libwebrtc' : 'gecko'
    expect(seen).toMatchObject([
      { requestId, sighting: { transport: 'tcp', engine } },
      { requestId, sighting: { transport: 'udp', engine } },
    ])
    for (const { sighting } of seen) {
      // Firefox sends from the address of an interface, even to the loopback.
      expect(ownAddresses()).toContain(sighting.address)
      expect(sighting.roundTripMs).toBeGreaterThan(0)
    }
    // The error shows the browser that its packet arrived, so it does not retry.
    expect(codes.filter((code) => code === 403)).toHaveLength(2)
  })
})

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address))
