import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const AGENT = new URL('../../../packages/agent/dist/agent.js', import.meta.url)
const BODY_TIMEOUT_MS = 20_000

export interface CaptureSite {
  origin: string
  /** Resolves with the next body that an agent sends. */
  nextBody(): Promise<string>
  close(): void
}

/**
 * Serves a page with the agent and receives its body. The agent gets no encryption key, so bodies are
 * plain.
 */
export async function openCaptureSite(): Promise<CaptureSite> {
  const script = await readFile(AGENT, 'utf8')
  let arrived = Promise.withResolvers<string>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (path.startsWith('/agent.js'))
      return answer(response, 'text/javascript', withConfig(script, site.origin))
    if (request.method !== 'POST') return answer(response, 'text/html', PAGE)
    arrived.resolve(Buffer.concat(await request.toArray()).toString('utf8'))
    answer(response, 'application/json', '"127.0.0.1"')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const site: CaptureSite = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async nextBody() {
      arrived = Promise.withResolvers<string>()
      const timer = setTimeout(() => arrived.reject(new Error('no body arrived')), BODY_TIMEOUT_MS)
      try {
        return await arrived.promise
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return site
}

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title></head><body><p>Welcome</p>
<script type="module">
  import { forceCheckAnonymous } from '/agent.js?publicKey=${'0'.repeat(32)}'
  forceCheckAnonymous()
</script></body></html>`

const withConfig = (script: string, ingestUrl: string): string =>
  `const __INKLING_CONFIG__=${JSON.stringify({ ingestUrl, serverKey: null })};\n${script}`

function answer(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text)
}
