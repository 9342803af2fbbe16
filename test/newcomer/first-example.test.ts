import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildEmbed } from '../../packages/agent/build.ts'
import { historyPage } from '../../packages/server/test/contract/callers.ts'
import { startTestServer, type TestServer } from '../../packages/server/test/running-server.ts'
import { launchChromium } from '../browsers.ts'

const ROOT = join(import.meta.dirname, '../..')
const FORM =
  '<form id="signup" method="post"><input name="email" type="email"><button>Sign up</button></form>'

let server: TestServer & { close(): Promise<void> }
beforeAll(async () => {
  await buildEmbed()
  server = await startTestServer({ domain: 'localhost' })
})
afterAll(() => server?.close())

/** The first example of a page, as somebody would copy it, with their own key and server. */
async function firstExample(page: string): Promise<string> {
  const [, code = ''] = /```html\n(.*?)```/s.exec(await readFile(join(ROOT, page), 'utf8')) ?? []
  const own = code
    .replaceAll('PUBLIC_KEY', server.keys.public_key)
    .replaceAll(/https?:\/\/(?:localhost:8080|inkling\.shop\.example)/g, `http://localhost:${server.port}`)
  return own.includes('<form') ? own : FORM + own
}

/** A page of a shop that collects the forms that are sent to it. */
async function shop(html: string): Promise<{ url: string; sent: URLSearchParams[] }> {
  const sent: URLSearchParams[] = []
  const listener = createServer(async (request, response) => {
    if (request.method === 'POST') sent.push(new URLSearchParams(await text(request)))
    response.setHeader('content-type', 'text/html').end(`<!doctype html>${html}`)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  return { url: `http://localhost:${(listener.address() as AddressInfo).port}/`, sent }
}

test.each(['README.md', 'docs/quick-start.md', 'docs/in-the-page.md'])(
  'the first example of %s gives each submit a request ID of its own, also after a reload, and each has a verdict',
  async (page) => {
    const { url, sent } = await shop(await firstExample(page))
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const tab = await browser.newPage()
    await tab.goto(url)
    for (const email of ['one@shop.example', 'two@shop.example']) {
      await tab.fill('[name=email]', email)
      await Promise.all([tab.waitForNavigation(), tab.click('button')])
      await tab.goto(url)
    }
    const ids = sent.map((form) => form.get('request_id') ?? '')
    expect(sent.map((form) => form.get('email'))).toEqual(['one@shop.example', 'two@shop.example'])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids)
      await expect
        .poll(async () => (await historyPage(server, `request_id/${id}`)).data.length, { timeout: 20_000 })
        .toBe(1)
  },
)

test('every place that names the SDK or the agent’s package installs it from a server', async () => {
  const pages = ['README.md', 'docs/quick-start.md', 'docs/in-the-page.md', 'docs/acting-on-the-score.md']
  const readmes = [
    'packages/sdk',
    'packages/agent',
    'packages/server',
    'examples/signup',
    'examples/webhook-worker',
  ]
  for (const page of [...pages, 'docs/webhooks.md', ...readmes.map((folder) => `${folder}/README.md`)]) {
    const content = await readFile(join(ROOT, page), 'utf8')
    expect(content, page).not.toMatch(/npm install [^\n`]*@inkling\//)
    expect(content, page).toMatch(/npm install \S+\/(sdk|agent)\.tgz/)
  }
})
