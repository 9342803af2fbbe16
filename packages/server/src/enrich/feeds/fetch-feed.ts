import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import type { Feed } from './feed.ts'

/** Validators of a conditional request: https://www.rfc-editor.org/rfc/rfc9110#section-8.8 */
export interface Validators {
  etag?: string | undefined
  lastModified?: string | undefined
}

/** `content` is undefined if the stored content is still current. */
export interface Fetched {
  content: Uint8Array | undefined
  validators: Validators
}

export interface FetchDeps {
  dispatcher: Dispatcher
  /** For the whole exchange, including redirects. */
  timeoutMs: number
  /** Aborts the exchange. */
  signal: AbortSignal
}

const REDIRECTS_MAX = 5

/** @throws an error with a message for the operator */
export async function fetchFeed(
  { url, maxBytes }: Feed,
  held: Validators,
  { dispatcher, timeoutMs, signal }: FetchDeps,
): Promise<Fetched> {
  if (url.startsWith('file:')) return readFeedFile(new URL(url), held, maxBytes)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await follow(new URL(url), held, {
      dispatcher,
      signal: AbortSignal.any([signal, timeout]),
    })
    return await read(answer, held, maxBytes)
  } catch (error) {
    throw timeout.aborted ? new Error(`took longer than ${timeoutMs / 1_000} s`) : error
  }
}

async function follow(
  first: URL,
  held: Validators,
  options: { dispatcher: Dispatcher; signal: AbortSignal },
): Promise<Dispatcher.ResponseData> {
  const headers = {
    'user-agent': 'Inkling',
    'accept-encoding': 'gzip',
    ...(held.etag !== undefined && { 'if-none-match': held.etag }),
    ...(held.lastModified !== undefined && { 'if-modified-since': held.lastModified }),
  }
  let url = first
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const answer = await request(url, { ...options, headers })
    const target = redirectTarget(answer, url)
    if (!target) return answer
    abandon(answer)
    const isSafe = target.protocol === 'https:' || (target.protocol === 'http:' && url.protocol === 'http:')
    if (!isSafe) throw new Error(`redirects to ${target.protocol}//`)
    url = target
  }
  throw new Error(`redirects more than ${REDIRECTS_MAX} times`)
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const location = headerOf(headers, 'location')
  if (!REDIRECTS.includes(statusCode) || location === undefined) return undefined
  const target = URL.parse(location, from)
  if (!target) throw new Error('redirects to an invalid URL')
  return target
}

async function read(answer: Dispatcher.ResponseData, held: Validators, maxBytes: number): Promise<Fetched> {
  const { statusCode, headers, body } = answer
  if (statusCode !== 200) {
    abandon(answer)
    if (statusCode === 304) return { content: undefined, validators: held }
    throw new Error(`answers ${statusCode}`)
  }
  const validators = { etag: headerOf(headers, 'etag'), lastModified: headerOf(headers, 'last-modified') }
  const take = (chunks: AsyncIterable<Buffer>) => takeAtMost(chunks, maxBytes)
  const encoding = headerOf(headers, 'content-encoding') ?? 'identity'
  // `pipeline` fails if the compressed data ends early: a truncated list must not be used.
  if (encoding === 'gzip') return { content: await pipeline(body, createGunzip(), take), validators }
  if (encoding === 'identity') return { content: await pipeline(body, take), validators }
  abandon(answer)
  throw new Error(`comes in the encoding ${encoding}, which was not requested`)
}

/** Destroying an unread body emits an error, which needs no handling. */
function abandon({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined).destroy()
}

async function takeAtMost(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Uint8Array> {
  const taken: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`)
    taken.push(chunk)
  }
  return Buffer.concat(taken)
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/**
 * Reads a feed from this machine. Its modification time and size serve as its ETag.
 * @throws when it cannot be read or is too large
 */
async function readFeedFile(url: URL, held: Validators, maxBytes: number): Promise<Fetched> {
  const file = await open(url)
  try {
    const stats = await file.stat({ bigint: true })
    if (!stats.isFile()) throw new Error(`${url.href} is not a file`)
    if (stats.size > BigInt(maxBytes)) throw new Error(`is larger than ${maxBytes} bytes`)
    const validators = { etag: `${stats.mtimeNs}-${stats.size}` }
    return { content: validators.etag === held.etag ? undefined : await file.readFile(), validators }
  } finally {
    await file.close()
  }
}
