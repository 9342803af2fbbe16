import type { IncomingHttpHeaders } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'

export interface Asked {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A GET of the benchmark itself, which trusts the certificates that it made. */
export function ask(url: string, headers: Record<string, string> = {}): Promise<Asked> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(url, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
      buffer(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })
}

export async function askJson<Answer>(url: string, headers: Record<string, string>): Promise<Answer> {
  const { status, body } = await ask(url, headers)
  if (status !== 200) throw new Error(`${new URL(url).pathname} answered ${status}`)
  return JSON.parse(body.toString('utf8')) as Answer
}
