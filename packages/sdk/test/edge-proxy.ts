import { createServer, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface EdgeProxy {
  url: string
  /** Port of the server behind it; a closed one gives a 502. */
  target: number
}

interface EdgeProxyOptions {
  target: number
  /** A misconfigured proxy: maps the requested path to another one. */
  rewrite?: (path: string) => string
  /** Responds instead of the server; undefined forwards the request. */
  intercept?: (path: string, response: ServerResponse) => true | undefined
}

const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head></html>'

/** A reverse proxy in front of a server. */
export async function edgeProxy({
  target,
  rewrite = (path) => path,
  intercept,
}: EdgeProxyOptions): Promise<EdgeProxy> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    if (intercept?.(path, outgoing)) return
    const upstream = send(
      { port: proxy.target, path: rewrite(path), method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    upstream.on('error', () => outgoing.writeHead(502, { 'content-type': 'text/html' }).end(BAD_GATEWAY))
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const proxy = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, target }
  return proxy
}
