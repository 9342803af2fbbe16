import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo, Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { createVisitBoard, type VisitBoard } from '../../detection/src/visit-board.ts'
import { type CachingProxy, createCachingProxy } from './caching-proxy.ts'
import type { Certificates } from './certificates.ts'
import { BLOG, FIRST_PARTY_PATH } from './installation.ts'
import { pageHtml } from './page-html.ts'
import { passOn, passUpgradeOn, type Upstream } from './pass-on.ts'

/** The shop and its neighbours: their pages, their webhook, and the proxies that stand before Inkling. */
export interface Site {
  /** Of the shop over HTTPS; the other names have the same port. */
  origin: string
  /** The same port and another name. */
  originOf(name: string): string
  /** Of the shop over plain HTTP, where browsers have no secure context. */
  insecureOrigin: string
  /** Events arrive here. An event means that the verdict on its request ID is final. */
  webhookUrl: string
  /** Notes between pages and the benchmark. */
  board: VisitBoard
  /** The installation behind the shop's own server. */
  inkling: { port: number; visitorAddress(): string } | undefined
  /** A cache in front of the agent's script, at `cdn.example`. */
  cache: CachingProxy
  close(): void
}

const NOTE = /^\/visits\/([\w-]+)\/notes\/([\w-]+)$/
const REQUEST_ID = /"request_id":"([0-9a-f-]{36})"/
const FINAL = 'final'

/** Resolves when the verdict on a request ID is final. */
export const finalVerdict = (board: VisitBoard, requestId: string): Promise<unknown> =>
  board.wait(requestId, FINAL)

export async function openSite(certificates: Certificates): Promise<Site> {
  const board = createVisitBoard()
  const cache = createCachingProxy()
  const listener: RequestListener = (request, response) => {
    route(request, response).catch(() => response.destroy())
  }
  const secure = createHttpsServer({ cert: certificates.cert, key: certificates.key }, listener)
  const insecure = createServer(listener)
  secure.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const upstream = firstParty(request)
    if (upstream) passUpgradeOn(request, socket, head, upstream)
    else socket.destroy()
  })
  const [securePort, insecurePort] = await Promise.all([listening(secure), listening(insecure)])

  const originOf = (name: string): string => `https://${name}:${securePort}`
  const site: Site = {
    origin: originOf('shop.example'),
    originOf,
    insecureOrigin: `http://shop.example:${insecurePort}`,
    webhookUrl: `http://127.0.0.1:${insecurePort}/webhook`,
    board,
    inkling: undefined,
    cache,
    close() {
      for (const server of [secure, insecure]) server.close().closeAllConnections()
    },
  }

  /** Where the shop's server sends what it passes on; undefined for its own pages. */
  function firstParty({ url = '', socket }: IncomingMessage): Upstream | undefined {
    if (!url.startsWith(`${FIRST_PARTY_PATH}/`) || !site.inkling) return undefined
    const { port, visitorAddress } = site.inkling
    const headers = ['X-Forwarded-For', visitorAddress(), 'X-Forwarded-Port', String(socket.localPort)]
    return { scheme: 'http', port, path: (path) => path, headers }
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = request
    const upstream = firstParty(request)
    if (upstream) {
      // The blog's proxy passes on nothing but the script and what is posted.
      const narrow = headers.origin === originOf(BLOG) && !/\.js($|\?)/.test(url)
      if (narrow && method !== 'POST') return answer(response, 404, 'text/plain', 'no such page')
      return passOn(request, response, upstream)
    }
    const { pathname, searchParams } = new URL(url, site.origin)
    if (headers.host?.startsWith('cdn.example')) return site.cache.answer(url, response)
    if (pathname === '/webhook') {
      const requestId = REQUEST_ID.exec(await text(request))?.[1]
      if (requestId !== undefined) board.post(requestId, FINAL, true)
      return answer(response, 200, 'text/plain', '')
    }
    // What a browser sends with a request to another site.
    if (pathname === '/mirror') return mirror(request, response)
    const [, visit, name] = NOTE.exec(pathname) ?? []
    if (visit !== undefined && name !== undefined) return takeNote(request, response, visit, name)
    const script = /^\/([\w-]+)\.js$/.exec(pathname)?.[1]
    if (script !== undefined) return answer(response, 200, 'text/javascript', await scriptOf(script))
    answer(response, 200, 'text/html', pageHtml(pathname, searchParams))
  }

  async function takeNote(request: IncomingMessage, response: ServerResponse, visit: string, name: string) {
    if (request.method === 'POST') board.post(visit, name, JSON.parse(await text(request)))
    else await board.wait(visit, name)
    answer(response, 200, 'application/json', JSON.stringify(board.latest(visit, name)))
  }
  return site
}

async function mirror(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await text(request)
  answer(response, 200, 'application/json', JSON.stringify(request.rawHeaders))
}

/** Scripts of pages are modules of this benchmark without their types. */
async function scriptOf(name: string): Promise<string> {
  const source = await readFile(new URL(`page/${name}.ts`, import.meta.url), 'utf8')
  return stripTypeScriptTypes(source)
}

const text = async (request: IncomingMessage): Promise<string> =>
  Buffer.concat(await request.toArray()).toString('utf8')

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      // Kept for the back button, which `no-store` would prevent.
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'service-worker-allowed': '/',
    })
    .end(body)
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
