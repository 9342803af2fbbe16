import { type IncomingHttpHeaders, request } from 'node:http'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  json(): unknown
}

export interface RawRequest {
  method?: string
  /** Sent unchanged, whereas `fetch` would normalise it. */
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

/** Sends one request without normalising its path, query or headers. */
export function rawRequest(
  { port }: { port: number },
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  // Node does not frame the body of a GET, DELETE or OPTIONS.
  const framed = body === undefined ? headers : { 'content-length': `${Buffer.byteLength(body)}`, ...headers }
  const options = { host: '127.0.0.1', port, method, path, headers: framed, agent: false }
  return new Promise((resolve, reject) => {
    const sending = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          text,
          json: () => JSON.parse(text) as unknown,
        })
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** The exact response to a request that matches no route. */
export const PLAIN_404 = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  text: '404 page not found',
} as const

/** The parts of a response that the contract specifies. */
export const shapeOf = ({ status, headers, text }: RawAnswer) => ({
  status,
  type: headers['content-type'],
  text,
})
