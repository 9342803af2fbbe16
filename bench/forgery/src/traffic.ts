import { randomUUID } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { digestOf } from '@inkling/contract'
import type { Installation } from './installation.ts'

/**
 * Inkling learns from the latest visit of each of 200 networks whether a domain's visits bring tickets. Forgers are a
 * majority here and would be few at a shop, so visits from many other networks stand for its customers. They have a
 * ticket, a digest and no readings, so that nothing else can be learned from them.
 */
const NETWORKS = 185
const AT_ONCE = 8

export async function sendTraffic(installation: Installation, domain: string): Promise<void> {
  const waiting = Array.from({ length: NETWORKS }, (_, index) => `127.200.${index}.1`).values()
  const work = async (): Promise<void> => {
    for (const address of waiting) await visit(installation, domain, address)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function visit(installation: Installation, domain: string, address: string): Promise<void> {
  const { ownUrl, keysOf } = installation
  const requestId = randomUUID()
  const path = `${requestId}?publicKey=${keysOf(domain).public_key}`
  const ask = (url: string, method: 'GET' | 'POST', body?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = url.startsWith('https:') ? requestHttps : requestHttp
      // Where the shop's own server stands in front, it says who asks.
      const from = installation.name === 'firstParty' ? { 'x-forwarded-for': address } : undefined
      const headers = { origin: `https://${domain}`, ...from }
      const local = from ? {} : { localAddress: address }
      request(url, { method, headers, ...local, agent: false, rejectUnauthorized: false }, (answer) => {
        text(answer).then(resolve, reject)
      })
        .on('error', reject)
        .end(body)
    })
  const ticket = await ask(`${ownUrl}/ticket/${path}`, 'GET')
  const content = '{"version":1'
  const proof = { ticket, digest: digestOf(`${requestId} ${ticket} ${content}`), key: null }
  await ask(`${ownUrl}/snapshot/${path}`, 'POST', `${content},"proof":${JSON.stringify(proof)}}`)
}
