import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Reported by the page when its size or zoom changes. */
export interface WindowNote {
  width: number
  density: number
}

/** A site, the reports of its pages, and a proxy to Inkling. */
export interface Shop {
  origin: string
  /** A page that identifies the visitor. The key T opens it in a new tab, C `/cleared`, and K `/cookieless`. */
  url: string
  /** The same page, which first clears all storage of the site. */
  clearedUrl: string
  /** The same, which first stores a cookie ID that was copied from another browser. */
  copiedUrl(cookieId: string): string
  /** The visitor's address that the proxy forwards to Inkling. */
  address: string
  /** The port of Inkling, which gets all other requests. */
  port: number
  publicKey: string
  loads: number
  note: WindowNote | undefined
  close(): void
}

export const SHOP_TITLE = 'Shop of the test'

/** A customer's site that identifies every visitor, and a reverse proxy to Inkling on the same origin. */
export async function openShop(): Promise<Shop> {
  const server = createServer((asked, response) => {
    answer(shop, asked, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const shop: Shop = {
    origin,
    url: `${origin}/`,
    clearedUrl: `${origin}/cleared`,
    copiedUrl: (cookieId) => `${origin}/copied?${cookieId}`,
    address: '198.51.100.7',
    port: 0,
    publicKey: '',
    loads: 0,
    note: undefined,
    close: () => void server.close().closeAllConnections(),
  }
  return shop
}

async function answer(shop: Shop, asked: IncomingMessage, response: ServerResponse): Promise<void> {
  if (asked.url === '/window') {
    shop.note = JSON.parse(await text(asked)) as WindowNote
    response.writeHead(204).end()
    return
  }
  const [path = ''] = asked.url?.split('?') ?? []
  const before = BEFORE[path]
  if (before === undefined) return passOn(shop, asked, response)
  shop.loads += 1
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(pageOf(shop.publicKey, before))
}

function passOn({ port, address }: Shop, asked: IncomingMessage, response: ServerResponse): void {
  const { url: path, method } = asked
  const headers = { ...asked.headers, 'x-forwarded-for': address }
  const passed = request({ host: '127.0.0.1', port, path, method, headers }, (given) => {
    response.writeHead(given.statusCode ?? 502, given.headers)
    given.pipe(response)
  })
  passed.once('error', () => response.destroy())
  asked.pipe(passed)
}

const pageOf = (publicKey: string, before: string): string => `<!doctype html>
<html lang="en"><title>${SHOP_TITLE}</title><link rel="icon" href="data:,"><h1>Shop</h1>
<script type="module">
addEventListener('resize', () => fetch('/window', { method: 'POST',
  body: JSON.stringify({ width: innerWidth, density: devicePixelRatio }) }))
addEventListener('keydown', ({ key }) => {
  if (key === 't') open('/', '_blank', 'noopener')
  if (key === 'c') location.href = '/cleared'
  if (key === 'k') location.href = '/cookieless'
})
${before}
const agent = await import('/agent.js?publicKey=${publicKey}')
agent.forceCheckAnonymous()
</script></html>`

const CLEAR_COOKIES = `
localStorage.clear()
sessionStorage.clear()
for (const pair of document.cookie.split('; '))
  document.cookie = pair.split('=')[0] + '=; Max-Age=0; Path=/'
`

/** What pages do before they identify the visitor. */
const BEFORE: Record<string, string> = {
  '/': '',
  '/cookieless': CLEAR_COOKIES,
  '/cleared': `${CLEAR_COOKIES}
for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)`,
  '/copied': `
document.cookie = 'inkling_id=' + location.search.slice(1) + '; Max-Age=86400; Path=/'
localStorage.setItem('inkling_id', location.search.slice(1) + ' ' + (Date.now() + 86400000))`,
}
