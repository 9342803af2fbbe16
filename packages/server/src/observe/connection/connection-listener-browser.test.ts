import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../../../test/browsers.ts'
import { runningListener, type Who } from '../../../test/running-listener.ts'
import { selfSignedCertificate } from '../../../test/self-signed-certificate.ts'
import type { ConnectionEvidence } from '../../visit/network-evidence.ts'

let tls: { cert: string; key: string }
beforeAll(async () => {
  tls = await selfSignedCertificate()
})

/** The order of pseudo-headers in each engine. */
const PSEUDO_HEADERS = { chromium: 'm,a,s,p', firefox: 'm,p,a,s' }

describeBrowsers('the connection listener', (browser) => {
  test('observes HTTP/2 requests and WebSockets of one page', async () => {
    const { port } = await runningListener({ tls })
    const context = await browser.running().newContext({ ignoreHTTPSErrors: true })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`https://localhost:${port}/who`)

    const who: Who = await page.evaluate(async () => (await fetch('/who')).json() as Promise<Who>)
    expect(who.evidence).toMatchObject({
      tls: { value: { alpn: 'h2', version: 'TLSv1.3', ja4: expect.stringMatching(/^t13d\d{4}h2_/) } },
      http2: {
        value: {
          fingerprint: expect.stringMatching(`^1:.*\\|\\d{6,}\\|0\\|${PSEUDO_HEADERS[browser.name]}$`),
        },
      },
    })

    const overSocket: ConnectionEvidence = await page.evaluate(
      (url) =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(url)
          socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)))
          socket.onerror = () => reject(new Error('no connection'))
        }),
      `wss://localhost:${port}/`,
    )
    expect(overSocket).toMatchObject({ tls: { available: true }, http2: { reason: 'http1' } })
  })
})
