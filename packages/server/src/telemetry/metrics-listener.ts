import { createServer, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

export interface MetricsListenerOptions {
  host: string
  port: number
  registry: Registry
  warn(message: string, error: unknown): void
}

/**
 * Serves `GET /metrics` on a separate port, which visitors cannot reach.
 * @throws when the port is taken
 */
export async function openMetricsListener(
  options: MetricsListenerOptions,
): Promise<{ close(): Promise<void> }> {
  const { host, port, registry, warn } = options
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') return refuse(response, 404)
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        warn('metrics could not be collected', error)
        refuse(response, 500)
      },
    )
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(port, host, listening.resolve)
  await listening.promise
  return {
    async close() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

const refuse = (response: ServerResponse, status: number): void => void response.writeHead(status).end()
