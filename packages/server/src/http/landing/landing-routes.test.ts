import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../../../test/browsers.ts'
import { PLAIN_404, rawRequest, shapeOf } from '../../../test/contract/raw-request.ts'
import { startTestServer, type TestServer } from '../../../test/running-server.ts'
import { domainStore } from '../../store/domains/domains.ts'

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'
const HOSTS = ['history', 'management', 'ingest', 'agent']

let server: TestServer & { close(): Promise<void> }
/** With a host of its own for each surface. */
let apart: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  server = await startTestServer({ demo: true })
  apart = await startTestServer({
    settings: (port) =>
      Object.fromEntries(HOSTS.map((name) => [`${name.toUpperCase()}_URL`, `http://${name}.test:${port}`])),
  })
})
afterAll(async () => {
  await server?.close()
  await apart?.close()
})

const open = (to: TestServer, path = '/', headers = {}) =>
  rawRequest(to, { path, headers: { accept: ACCEPT, ...headers } })
const linksIn = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)

describe('in a browser / leads on', () => {
  test('to the demo, the dashboard and the reference, and everything that it links to is there', async () => {
    const { status, headers, text } = await open(server)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const links = linksIn(text)
    expect(links).toEqual(
      expect.arrayContaining([`http://localhost:${server.port}/demo`, 'dashboard', 'docs']),
    )
    for (const link of links) {
      const { pathname } = new URL(link, server.url)
      expect([link, (await open(server, pathname, { host: `localhost:${server.port}` })).status]).toEqual([
        link,
        pathname === '/dashboard' ? 307 : 200,
      ])
    }
  })

  test('under a policy without scripts', async () => {
    const { headers, text } = await open(server)
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/)
    expect(policy).not.toMatch(/unsafe|script-src/)
    expect(text).not.toMatch(/<script|<style|\sstyle="|\son\w+="/i)
  })

  test('not to a demo whose domain is disabled, nor to one that is not there', async () => {
    const domain = await domainStore(server.store.reads).find('shop.example')
    const enable = (enabled: number) => domainStore(server.store.writes).change(domain?.id ?? 0, { enabled })
    await enable(0)
    await expect.poll(async () => (await open(server)).text).not.toContain('/demo"')
    await enable(1)
    const { text } = await open(apart, '/', { host: `management.test:${apart.port}` })
    expect(linksIn(text)).not.toContainEqual(expect.stringContaining('/demo'))
  })
})

describe('to programs / is a path without a route', () => {
  test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])('accepting %j', async (headers) => {
    expect(shapeOf(await rawRequest(server, { path: '/', headers }))).toEqual(PLAIN_404)
    const head = await rawRequest(server, { path: '/', method: 'HEAD', headers })
    expect([head.status, head.text]).toEqual([404, ''])
  })

  test.each(['POST', 'PUT', 'OPTIONS'])('and to %s, whatever it accepts', async (method) => {
    const answer = await rawRequest(server, { path: '/', method, headers: { accept: ACCEPT } })
    expect(shapeOf(answer)).toEqual(PLAIN_404)
  })

  test('and on the hosts of the other surfaces', async () => {
    for (const host of [...HOSTS, 'unknown']) {
      const { status } = await open(apart, '/', { host: `${host}.test:${apart.port}` })
      expect([host, status]).toEqual([host, host === 'management' ? 200 : 404])
    }
  })
})

describeBrowsers('the page', (browser) => {
  test.each(['light', 'dark'] as const)('is drawn, %s', async (colorScheme) => {
    const launched = await browser.launch({})
    onTestFinished(() => launched.close())
    const page = await (
      await launched.newContext({ colorScheme, viewport: { width: 900, height: 700 } })
    ).newPage()
    const wrong: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text())
    })
    await page.goto(server.url)
    await page.getByRole('link', { name: 'Dashboard' }).waitFor()
    expect(wrong).toEqual([])
  })
})
