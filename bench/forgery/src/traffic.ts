import { randomUUID } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { digestOf } from '@inkling/contract'
import type { Case } from './case.ts'
import type { Installation } from './installation.ts'
import { type Bench, runCase } from './run-case.ts'

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

/** Of each browser: as many as Inkling needs to know what a page's visits load, and some. */
const CUSTOMERS = 25
/** So long a browser may have the script from before a start of Inkling. */
const SETTLED_MS = 310_000

/**
 * Ordinary visits by real browsers, each from a network of its own, until Inkling can say what is unusual. Most people of
 * this benchmark have an unusual browser or network; at a shop most have not.
 * @param firstNumber from here on no other visit has their networks
 */
export async function sendCustomers(
  bench: Bench,
  installation: Installation,
  ordinary: readonly Case[],
  { startedAtMs, firstNumber }: { startedAtMs: number; firstNumber: number },
): Promise<void> {
  const customers = Array.from({ length: CUSTOMERS }, () => ordinary).flat()
  for (const [count, one] of customers.entries()) {
    const { error } = await runCase(bench, installation, one, { run: 0, number: firstNumber + count })
    if (error !== undefined) throw new Error(`an ordinary visit failed: ${error}`)
  }
  await wait(Math.max(0, startedAtMs + SETTLED_MS - Date.now()))
}
