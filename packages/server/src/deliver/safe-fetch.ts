import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { parseAddress } from '../lib/parse-address.ts'
import { isPublicAddress } from '../lib/public-address.ts'

/** A target that must not be reached: an operator reads the message in the delivery log. */
export class ForbiddenTarget extends Error {}

export interface SafeFetchOptions {
  /** Whether loopback and private addresses may be reached. */
  allowPrivate: boolean
  /** URLs of this server itself that may always be reached (the demo's receiver). */
  allowedUrls?: ReadonlySet<string>
  /** How names are resolved; the system's way by default. */
  resolve?: Resolve
}

/** Tells every address of a name, as `dns.lookup` does when it is asked for all. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface PostResult {
  status: number
}

export interface SafeFetch {
  /**
   * Posts and reads nothing but the status. Redirects are answers like any other, never followed.
   * @throws ForbiddenTarget, or whatever stopped the request; after `timeoutMs` a TimeoutError
   */
  post(url: string, body: Uint8Array, headers: Record<string, string>, timeoutMs: number): Promise<PostResult>
  close(): Promise<void>
}

/** Sockets kept to one endpoint: enough to keep up with it, too few to exhaust a small receiver. */
const CONNECTIONS_MAX = 32

/** Sends requests to URLs that strangers chose: never to an address inside the operator's network. */
export function createSafeFetch({
  allowPrivate,
  allowedUrls = new Set(),
  resolve = sharedLookup(lookup),
}: SafeFetchOptions): SafeFetch {
  const open = agent({ lookup: checkedLookup(resolve, () => true) })
  // The address is checked where the socket is opened, so that a name cannot resolve differently later.
  const guarded = allowPrivate ? open : agent({ lookup: publicLookup(resolve) })

  return {
    async post(url, body, headers, timeoutMs) {
      const target = new URL(url)
      const trusted = allowPrivate || allowedUrls.has(url)
      if (!trusted) refusePrivateLiteral(target)
      const answer = await request(target, {
        method: 'POST',
        body,
        headers,
        dispatcher: trusted ? open : guarded,
        signal: AbortSignal.timeout(timeoutMs),
      })
      await discard(answer.body)
      return { status: answer.statusCode }
    },
    async close() {
      await Promise.all([open, guarded].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

function agent(connect: { lookup: LookupFunction }): Agent {
  return new Agent({ connections: CONNECTIONS_MAX, pipelining: 1, connect, maxHeaderSize: 16_384 })
}

/**
 * An answer's body is nobody's business; a short one is drained so that the socket can be used again. The
 * status has been told by then: a receiver that dawdles or breaks off afterwards has still answered.
 */
const DRAIN_BYTES_MAX = 16_384
async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: DRAIN_BYTES_MAX }).catch(() => undefined)
}

/** A literal address is never looked up, so it is checked here; URL parsing has made it canonical. */
function refusePrivateLiteral({ hostname }: URL): void {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isPublic(literal)) throw forbidden(literal)
}

function isPublic(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && isPublicAddress(address)
}

const forbidden = (address: string): ForbiddenTarget =>
  new ForbiddenTarget(`${address} is a loopback or private address (WEBHOOK_ALLOW_PRIVATE)`)

/** Resolves a name and refuses it when any of its addresses is private: those it tells are those it checked. */
export const publicLookup = (resolve: Resolve): LookupFunction => checkedLookup(resolve, isPublic)

const checkedLookup =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const hidden = addresses.find(({ address }) => !isAllowed(address))
      if (hidden) return callback(forbidden(hidden.address), [])
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }

type Answer = Parameters<Parameters<Resolve>[2]>

/**
 * Asks for a name once for all who want to know it at the same time. A look-up holds one of few threads until it is
 * answered: a receiver whose name server is silent would, with one for each send, take all of them from the others.
 */
export function sharedLookup(resolve: Resolve): Resolve {
  const asking = new Map<string, ((...answer: Answer) => void)[]>()

  return (hostname, options, callback) => {
    const question = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`
    const waiting = asking.get(question)
    if (waiting) {
      waiting.push(callback)
      return
    }
    const all = [callback]
    asking.set(question, all)
    resolve(hostname, options, (...answer) => {
      asking.delete(question)
      for (const tell of all) tell(...answer)
    })
  }
}
