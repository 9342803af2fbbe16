import { request as requestHttp } from 'node:http'
import { connect, type OutgoingHttpHeaders } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Send } from './send.ts'

/** Node's own client: HTTP/1.1, headers in the given order and case. */
export const nodeHttps: Send = ({ method, url, headers, body }) =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp
    const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]
    request(
      url,
      {
        method,
        agent: false,
        rejectUnauthorized: false,
        headers: ['Host', new URL(url).host, 'Connection', 'keep-alive', ...length, ...headers.flat()],
      },
      (answer) => {
        text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, text: said }), reject)
      },
    )
      .on('error', reject)
      .end(body)
  })

/** Node's HTTP/2, whose headers are in lower case and in the given order. */
export const nodeHttp2: Send = async ({ method, url, headers, body }) => {
  const { origin, pathname, search } = new URL(url)
  const session = connect(origin, { rejectUnauthorized: false })
  try {
    const named: OutgoingHttpHeaders = { ':method': method, ':path': pathname + search }
    for (const [name, value] of headers) named[name.toLowerCase()] = value
    const stream = session.request(named, { endStream: body === undefined })
    if (body !== undefined) stream.end(body)
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    stream.once('response', (answer) => resolve(Number(answer[':status'])))
    session.once('error', reject)
    stream.once('error', reject)
    const status = await promise
    return { status, text: await text(stream) }
  } finally {
    session.destroy()
  }
}
