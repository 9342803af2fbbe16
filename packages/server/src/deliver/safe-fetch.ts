import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { parseAddress } from '../lib/address.ts'
import { isPublicAddress } from '../lib/address-scope.ts'

/** The target is a private address. Operators read the message in the delivery log. */
export class ForbiddenTarget extends Error {}

export interface SafeFetchOptions {
  /** Whether loopback and private addresses may be reached. */
  allowPrivate: boolean
  /** URLs that are always allowed: the demo's own receiver. */
  allowedUrls?: ReadonlySet<string>
  /** Resolves names; `dns.lookup` by default. */
  resolve?: Resolve
}

/** Resolves a name to all of its addresses, as `dns.lookup` does with `all: true`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface PostResult {
  status: number
}

export interface GetResult extends PostResult {
  body: Uint8Array
  cacheControl: string
}

export interface SafeFetch {
  /**
   * Posts and reads only the status. A redirect is returned like any other answer, never followed.
   * @throws ForbiddenTarget, a TimeoutError after `timeoutMs`, or the error of the connection
   */
  post(url: string, body: Uint8Array, headers: Record<string, string>, timeoutMs: number): Promise<PostResult>
  /**
   * Gets a small document. A redirect is returned like any other answer, without its body.
   * @throws as `post`, and when the body is longer than `maxBytes`
   */
  get(url: string, limits: { timeoutMs: number; maxBytes: number }): Promise<GetResult>
  close(): Promise<void>
}

/** Sockets for one endpoint: enough for every concurrent send, too few to exhaust a small receiver. */
const CONNECTIONS_MAX = 32

/**
 * Sends requests to URLs that customers and strangers chose, but never to an address inside the operator's network (server-side request
 * forgery, https://owasp.org/www-community/attacks/Server_Side_Request_Forgery).
 */
export function createSafeFetch({
  allowPrivate,
  allowedUrls = new Set(),
  resolve = sharedLookup(lookup),
}: SafeFetchOptions): SafeFetch {
  const open = agent({ lookup: checkedLookup(resolve, () => true) })
  // Checked when the socket is opened, so that a name cannot resolve to another address afterwards (DNS rebinding).
  const guarded = allowPrivate ? open : agent({ lookup: publicLookup(resolve) })

  const send = (url: string, timeoutMs: number, options: SendOptions): Promise<Dispatcher.ResponseData> => {
    const target = new URL(url)
    const trusted = allowPrivate || allowedUrls.has(url)
    if (!trusted) refusePrivateLiteral(target)
    const dispatcher = trusted ? open : guarded
    return request(target, { ...options, dispatcher, signal: AbortSignal.timeout(timeoutMs) })
  }

  return {
    async post(url, body, headers, timeoutMs) {
      const answer = await send(url, timeoutMs, { method: 'POST', body, headers })
      await discard(answer.body)
      return { status: answer.statusCode }
    },
    async get(url, { timeoutMs, maxBytes }) {
      const headers = { 'user-agent': 'Inkling', accept: '*/*' }
      const { statusCode, headers: answered, body } = await send(url, timeoutMs, { method: 'GET', headers })
      const read = statusCode === 200 ? await readAtMost(body, maxBytes) : undefined
      if (!read) await discard(body)
      return {
        status: statusCode,
        body: read ?? new Uint8Array(),
        cacheControl: answered['cache-control']?.toString() ?? '',
      }
    },
    async close() {
      await Promise.all([open, guarded].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

type SendOptions = Pick<Dispatcher.RequestOptions, 'method' | 'body' | 'headers'>

/** @throws when there are more bytes; the connection is then closed */
async function readAtMost(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function agent(connect: { lookup: LookupFunction }): Agent {
  return new Agent({ connections: CONNECTIONS_MAX, pipelining: 1, connect, maxHeaderSize: 16_384 })
}

/**
 * Discards the body; a short one is read to its end so that the socket can be reused. An error while reading is
 * ignored, because the status has arrived.
 */
const DRAIN_BYTES_MAX = 16_384
async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: DRAIN_BYTES_MAX }).catch(() => undefined)
}

/** Checks an address in the URL itself, which is never looked up. URL parsing has normalised it. */
function refusePrivateLiteral({ hostname }: URL): void {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublic(literal)) throw forbidden(`${literal} is`)
}

function isPublic(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && isPublicAddress(address)
}

const forbidden = (target: string): ForbiddenTarget =>
  new ForbiddenTarget(`${target} a loopback or private address (WEBHOOK_ALLOW_PRIVATE)`)

/**
 * Refuses a name when any of its addresses is private. The addresses it returns are the ones it checked. The refusal
 * does not say which it found: whoever chose the name would read the operator's own name service in it.
 */
export const publicLookup = (resolve: Resolve): LookupFunction => checkedLookup(resolve, isPublic)

const checkedLookup =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      if (!addresses.every(({ address }) => isAllowed(address)))
        return callback(forbidden(`${hostname} leads to`), [])
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

type Answer = Parameters<Parameters<Resolve>[2]>

/**
 * Joins concurrent look-ups of one name. Each look-up holds one of libuv's few threads until it is answered, so a
 * receiver with a dead name server could otherwise block the sends to all others.
 */
export function sharedLookup(resolve: Resolve): Resolve {
  const pending = new Map<string, ((...answer: Answer) => void)[]>()

  return (hostname, options, callback) => {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const joined = pending.get(key)
    if (joined) {
      joined.push(callback)
      return
    }
    const callbacks = [callback]
    pending.set(key, callbacks)
    resolve(hostname, options, (...answer) => {
      pending.delete(key)
      for (const each of callbacks) each(...answer)
    })
  }
}
