import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A scripted History host on a real socket, for tests: each request takes the next answer. */
export async function historyStandIn(answers: Answer[]) {
  const seen: { url: string | undefined; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url, authorization: request.headers.authorization })
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    answer?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export const answerJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

export const answerText =
  (status: number, body: string): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body)
  }

export const hangUp: Answer = (request) => {
  request.socket.destroy()
}
