import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundle } from '../bundle.ts'
import { createVisitBoard } from '../visit-board.ts'

export interface LoadResult {
  ms: number
  /** All URLs that the page has fetched. */
  urls: string[]
}

export interface TimingSite {
  origin: string
  /** Resolves with the measurement of a load; rejects with its error. */
  result(load: string): Promise<LoadResult>
  close(): void
}

/** Serves pages that call one agent each; `?agent=` is the URL of its module, and may be empty. */
export async function openTimingSite(scripts: ReadonlyMap<string, string>): Promise<TimingSite> {
  const board = createVisitBoard()
  const measure = await bundle(new URL('./page/time-agent.ts', import.meta.url))
  const server = createServer((request, response) => {
    route(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    if (request.method === 'POST') {
      const text = Buffer.concat(await request.toArray()).toString('utf8')
      board.post(pathname.slice(1), 'result', JSON.parse(text))
      return answer(response, 'text/plain', '')
    }
    const script = pathname === '/measure.js' ? measure : scripts.get(pathname)
    if (script !== undefined) return answer(response, 'text/javascript', script)
    answer(response, 'text/html', page(searchParams.get('agent') ?? '', searchParams.get('load') ?? ''))
  }
  return {
    origin,
    async result(load) {
      const result = (await board.wait(`loads/${load}`, 'result')) as LoadResult | { error: string }
      if ('error' in result) throw new Error(result.error)
      return result
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const page = (agentUrl: string, load: string): string => `<!doctype html>
<html lang="en" data-agent="${agentUrl.replaceAll('&', '&amp;')}" data-load="${load}">
<head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"></head>
<body><p>Welcome</p><script type="module" src="/measure.js"></script></body></html>`

function answer(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
}
