import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundle } from './bundle.ts'
import { framedPage, inspectedPage, signupPage, startPage } from './page/signup-page.ts'
import { pageLibrary } from './page-library.ts'
import { createVisitBoard, type VisitBoard } from './visit-board.ts'

export interface BenchSite {
  origin: string
  board: VisitBoard
  /** Where Inkling sends its events. An event means that the verdict on its request ID is final. */
  webhookUrl: string
  /** Set later, because Inkling needs the webhook's URL before it starts. */
  agentUrl: string
  /** Whether the page asks for honeytokens. */
  honeytokens: boolean
  close(): void
}

const LIBRARY = /^\/libraries\/([\w-]+)\.js$/
const NOTE = /^\/visits\/([\w-]+)\/notes\/([\w-]+)$/
const REQUEST_ID = /"request_id":"([0-9a-f-]{36})"/
/** The board entry of a request ID instead of a visit. */
const FINAL = 'final'

/** Resolves when the verdict on a request ID is final. */
export const finalVerdict = (board: VisitBoard, requestId: string): Promise<unknown> =>
  board.wait(requestId, FINAL)

/** The customer's side: its page, its webhook, and the board that page, driver and benchmark share. */
export async function openBenchSite(): Promise<BenchSite> {
  const measure = await bundle(new URL('./page/measure-visit.ts', import.meta.url))
  const board = createVisitBoard()
  const server = createServer((request, response) => {
    route(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const site: BenchSite = {
    origin,
    board,
    webhookUrl: `${origin.replace('localhost', '127.0.0.1')}/webhook`,
    agentUrl: '',
    honeytokens: false,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }

  const page = (pathname: string, visit: string, library: string | null): string => {
    if (pathname === '/start') return startPage(visit)
    if (pathname === '/inspected') return inspectedPage(`/signup?visit=${visit}`)
    return pathname === '/framed'
      ? framedPage(visit)
      : signupPage(visit, site.agentUrl, { honeytokens: site.honeytokens, library })
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    if (pathname === '/measure.js') return answer(response, 'text/javascript', measure)
    if (pathname === '/webhook') {
      const requestId = REQUEST_ID.exec(await text(request))?.[1]
      if (requestId !== undefined) board.post(requestId, FINAL, true)
      return answer(response, 'text/plain', '')
    }
    const library = LIBRARY.exec(pathname)?.[1]
    if (library !== undefined) return answer(response, 'text/javascript', await pageLibrary(library))
    const [, visit, name] = NOTE.exec(pathname) ?? []
    if (visit === undefined || name === undefined)
      return answer(
        response,
        'text/html',
        page(pathname, searchParams.get('visit') ?? '', searchParams.get('library')),
      )
    if (request.method === 'POST') board.post(visit, name, JSON.parse(await text(request)))
    else await board.wait(visit, name)
    answer(response, 'application/json', JSON.stringify(board.latest(visit, name)))
  }
  return site
}

const text = async (request: IncomingMessage): Promise<string> =>
  Buffer.concat(await request.toArray()).toString('utf8')

function answer(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
}
