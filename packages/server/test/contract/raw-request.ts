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
  /** Sent exactly as it is: `fetch` would normalise it. */
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

/** One request with a path, query and headers that nobody tidies up on the way. */
export function rawRequest(
  { port }: { port: number },
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  // Node frames no body of GET, DELETE or OPTIONS by itself.
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

/** What anything unrouted answers, to the byte. */
export const PLAIN_404 = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  text: '404 page not found',
} as const

/** The part of an answer that the contract fixes. */
export const shapeOf = ({ status, headers, text }: RawAnswer) => ({
  status,
  type: headers['content-type'],
  text,
})
