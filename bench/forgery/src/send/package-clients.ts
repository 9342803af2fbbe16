import type { Send } from './send.ts'

/** Clients from npm. Each is loaded when it is used, because some start threads. */

const recordOf = (headers: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(headers)

/** Node's `fetch`, over HTTP/1.1 or 2. */
export const undici =
  ({ allowH2 }: { allowH2: boolean }): Send =>
  async ({ method, url, headers, body }) => {
    const { Agent, fetch } = await import('undici')
    const dispatcher = new Agent({ allowH2, connect: { rejectUnauthorized: false } })
    try {
      const answer = await fetch(url, { method, headers: recordOf(headers), body: body ?? null, dispatcher })
      return { status: answer.status, text: await answer.text() }
    } finally {
      await dispatcher.destroy()
    }
  }

/** Takes its cipher suites and the order of its headers from browsers. */
export const gotScraping: Send = async ({ method, url, headers, body }) => {
  const { gotScraping: got } = await import('got-scraping')
  const answer = await got({
    method,
    url,
    headers: recordOf(headers),
    ...(body !== undefined && { body: Buffer.from(body) }),
    https: { rejectUnauthorized: false },
    throwHttpErrors: false,
    retry: { limit: 0 },
    headerGeneratorOptions: { browsers: ['chrome'], operatingSystems: ['linux'], devices: ['desktop'] },
  })
  return { status: answer.statusCode, text: String(answer.body) }
}

/** Imitates a browser's handshake and HTTP/2 with rustls. */
export const impit =
  (browser: 'chrome' | 'firefox'): Send =>
  async ({ method, url, headers, body }) => {
    const { Impit } = await import('impit')
    const client = new Impit({ browser, ignoreTlsErrors: true })
    const answer = await client.fetch(url, {
      method,
      headers: recordOf(headers),
      ...(body !== undefined && { body }),
    })
    return { status: answer.status, text: await answer.text() }
  }

/** The same with BoringSSL. */
export const wreq =
  (browser: 'chrome' | 'firefox'): Send =>
  async ({ method, url, headers, body }) => {
    const { fetch } = await import('wreq-js')
    const answer = await fetch(url, {
      method,
      headers: recordOf(headers),
      browser,
      os: 'linux',
      insecure: true,
      ...(body !== undefined && { body }),
    })
    return { status: answer.status, text: await answer.text() }
  }
