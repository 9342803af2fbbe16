import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a window says of itself when its size or its zoom changed. */
export interface WindowNote {
  width: number
  density: number
}

/** Watches what pages do; each resolves when the next one has come. */
export interface Shop {
  origin: string
  /** Identifies the visitor as it loads; the key T opens it in a new tab, C the page below. */
  url: string
  /** The same after it cleared all that the browser stores for it. */
  clearedUrl: string
  /** Where visitors come from, as the shop's front tells Inkling. */
  address: string
  /** Where Inkling is, which the front passes on all the rest to. */
  port: number
  publicKey: string
  loads: number
  note: WindowNote | undefined
  close(): void
}

export const SHOP_TITLE = 'Shop of the test'

/** A customer's site that identifies everybody, with Inkling behind the same front. */
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
  } else if (asked.url === '/' || asked.url === '/cleared') {
    shop.loads += 1
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(pageOf(shop.publicKey, asked.url === '/cleared'))
  } else passOn(shop, asked, response)
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

const pageOf = (publicKey: string, cleared: boolean): string => `<!doctype html>
<html lang="en"><title>${SHOP_TITLE}</title><link rel="icon" href="data:,"><h1>Shop</h1>
<script type="module">
addEventListener('resize', () => fetch('/window', { method: 'POST',
  body: JSON.stringify({ width: innerWidth, density: devicePixelRatio }) }))
addEventListener('keydown', ({ key }) => {
  if (key === 't') open('/', '_blank', 'noopener')
  if (key === 'c') location.href = '/cleared'
})
${cleared ? CLEAR : ''}
const agent = await import('/agent.js?publicKey=${publicKey}')
agent.forceCheckAnonymous()
</script></html>`

const CLEAR = `
localStorage.clear()
sessionStorage.clear()
for (const pair of document.cookie.split('; '))
  document.cookie = pair.split('=')[0] + '=; Max-Age=0; Path=/'
for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
`
