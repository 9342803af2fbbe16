import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Disposable, Frame, Page } from 'playwright-core'
import { BROWSERS } from '../build.ts'
import type { Observed } from './observed-page.ts'

/** Pages that contain the sources, bundled like the agent. */
export interface ObservedSite {
  origin: string
  /** Another origin of the same server. */
  foreign: string
  /** Paths of all requests. */
  asked: string[]
  close(): Promise<void>
}

const STRICT = "default-src 'none'; script-src 'self'"

export async function startObservedSite(): Promise<ObservedSite> {
  const { outputFiles } = await build({
    entryPoints: [new URL('./observed-page.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'page',
    target: BROWSERS,
    write: false,
  })
  const script = outputFiles[0]?.text ?? ''
  const asked: string[] = []
  const bodies: Record<string, string> = {
    '/': '<p>Hello</p><script src="/page.js"></script>',
    '/strict': '<p>Hello</p><script src="/page.js"></script>',
    '/form': '<input id="name"><button id="join">Join</button><script src="/page.js"></script>',
  }
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/page.js') return response.setHeader('content-type', 'text/javascript').end(script)
    if (url === '/strict') response.setHeader('content-security-policy', STRICT)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.statusCode = url in bodies ? 200 : 404
    response.end(`<!doctype html><html lang="en"><title>Shop</title><body>${bodies[url] ?? ''}</body></html>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const foreign = `http://127.0.0.1:${port}`
  bodies['/framing'] = `<iframe src="/"></iframe><iframe src="${foreign}/"></iframe>`
  return {
    origin: `http://localhost:${port}`,
    foreign,
    asked,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const observe = (page: Page | Frame): Promise<Observed> => page.evaluate('page.observe()')

/**
 * Opens the site's pages one after the other in one window, because opening a window takes Firefox most of a second of
 * processor time.
 */
export async function oneWindow(browser: Browser, { origin }: ObservedSite) {
  const page = await (await browser.newContext()).newPage()
  let script: Disposable | undefined
  /** @param before runs in the page before its own scripts */
  return async (before = '', path = '/'): Promise<Page> => {
    await script?.dispose()
    script = before ? await page.addInitScript(before) : undefined
    await page.goto(origin + path)
    return page
  }
}
