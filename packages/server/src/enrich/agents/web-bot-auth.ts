import { createHash } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import { type Item, isInnerList, parseItem } from 'structured-headers'
import { HOUR_MS } from '../../lib/durations.ts'
import { growingCache } from '../../lib/growing-cache.ts'
import type {
  AgentPurpose,
  SignatureCheck,
  SignatureRefusal,
  SignedRequest,
} from '../../visit/agent-identity.ts'
import type { KeyDirectories } from './key-directories.ts'
import { DIRECTORY_PATH, keyNamed } from './key-directory.ts'
import {
  covers,
  dictionaryOf,
  fieldOf,
  isSupported,
  type MessageSignature,
  readSignatures,
  verifyMessage,
} from './message-signature.ts'

/**
 * Tags of signatures that say who an agent is, with what a commerce profile's tag adds
 * (https://developer.visa.com/capabilities/trusted-agent-protocol/trusted-agent-protocol-specifications; Mastercard's
 * Agent Pay builds on the same signatures, https://blog.cloudflare.com/secure-agentic-commerce/).
 */
const TAGS = new Map<string, AgentPurpose | undefined>([
  ['web-bot-auth', undefined],
  ['agent-browser-auth', 'browse'],
  ['agent-payer-auth', 'pay'],
])

/** The example key of RFC 9421, appendix B.1.4: everybody can sign with it. */
const PUBLISHED_PRIVATE_KEY = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'

/** Clocks differ, and a request takes its time. */
const SKEW_MS = 60_000
/** A signature that lives longer is valid for an hour: for so long its repetition is noticed. */
const LIFETIME_MAX_MS = HOUR_MS
const REMEMBERED_MAX = 50_000
/** Of signatures with a tag that is known: an agent sends one, and each costs up to four verifications. */
const CHECKED_MAX = 2
/** Of a key's name and of a component's. */
const STORED_LENGTH_MAX = 64

export interface WebBotAuthOptions {
  directories: KeyDirectories
  /** Whether the catalogue has this origin. */
  isKnown(origin: string): boolean
  /** Unix milliseconds. */
  now?: () => number
}

/** Checks the signature of an agent's request. Undefined when the request has none of that kind. */
export type CheckSignature = (request: SignedRequest, sent: Sent) => SignatureCheck | undefined

/** How the request came. */
export interface Sent {
  /** Of its client, in normal form. */
  address: string
  /** What a signature is used up for: the visit, or the page that is asked for. */
  use: string
  /** Unix milliseconds, by which times are judged: it may be looked at again later. */
  atMs: number
}

/**
 * Web Bot Auth: the operator of an agent signs its requests and publishes the keys
 * (https://datatracker.ietf.org/doc/draft-ietf-webbotauth-httpsig-protocol/). Uses memory only; `pending` means that the
 * directory is being fetched.
 */
export function createWebBotAuth({
  directories,
  isKnown,
  now = Date.now,
}: WebBotAuthOptions): CheckSignature {
  // Apart, so that strangers with keys of their own cannot displace what is remembered of known agents.
  const [ofKnown, ofOthers] = [0, 0].map(() =>
    growingCache<string, string>(REMEMBERED_MAX, { ttlResolution: 0, perf: { now } }),
  ) as [LRUCache<string, string>, LRUCache<string, string>]

  /**
   * Whether the signature came before, from another address or for another use. Otherwise it is a repeated request, or
   * the same one that is judged again.
   */
  function isReplay(
    signature: MessageSignature,
    origin: string,
    { address, use }: Sent,
    untilMs: number,
  ): boolean {
    const remembered = isKnown(origin) ? ofKnown : ofOthers
    const { nonce } = paramsOf(signature)
    const once = nonce ?? Buffer.from(signature.bytes).toString('base64')
    const key = digest(`${origin} ${once}`)
    const used = digest(`${address} ${use}`)
    const first = remembered.get(key)
    if (first !== undefined) return first !== used
    remembered.set(key, used, { ttl: Math.max(1, untilMs - now()) })
    return false
  }

  function check(signature: MessageSignature, request: SignedRequest, sent: Sent): SignatureCheck {
    const { tag, keyId, createdAt, expiresAt, algorithm } = paramsOf(signature)
    // It is stored with the visit, so nobody may fill it.
    const facts = {
      keyId: keyId?.slice(0, STORED_LENGTH_MAX),
      tag,
      purpose: tag === undefined ? undefined : TAGS.get(tag),
      components: signature.components.map(([name]) => String(name).slice(0, STORED_LENGTH_MAX)),
      createdAt,
      expiresAt,
    }
    const refused = (reason: SignatureRefusal, directory?: string): SignatureCheck => ({
      state: 'refused',
      reason,
      ...facts,
      directory,
    })
    if (algorithm !== undefined && algorithm !== 'ed25519') return refused('unsupported_algorithm')
    if (!covers(signature, '@authority') && !covers(signature, '@target-uri'))
      return refused('missing_component')
    if (!isSupported(signature)) return refused('unsupported_component')
    if (createdAt === undefined || expiresAt === undefined) return refused('missing_time')
    const untilMs = Math.min(expiresAt, createdAt + LIFETIME_MAX_MS) + SKEW_MS
    if (createdAt > sent.atMs + SKEW_MS) return refused('not_yet_valid')
    if (sent.atMs > untilMs) return refused('expired')
    const agent = signatureAgent(signature, request)
    if (typeof agent === 'string') return refused(agent)
    const { origin } = agent
    // Only the operator's own catalogue may send this server to other ports, and without TLS.
    if (!isKnown(origin) && !PUBLIC_ORIGIN.test(origin)) return refused('unsupported_signature_agent')
    const keys = directories.lookUp(origin)
    if (keys === 'pending') return { state: 'pending', ...facts, directory: origin }
    if (keys === 'unavailable') return refused('directory_unavailable', origin)
    const found = keyNamed(keys, keyId, sent.atMs)
    if (!found) return refused('unknown_key', origin)
    if (found.thumbprint === PUBLISHED_PRIVATE_KEY) return refused('published_private_key', origin)
    if (!verifyMessage(signature, request, found.key)) return refused('wrong_signature', origin)
    if (isReplay(signature, origin, sent, untilMs)) return refused('replayed', origin)
    return { state: 'valid', ...facts, directory: origin }
  }

  return (request, sent) => {
    const signatures = readSignatures(request)
    if (!signatures) return { state: 'refused', reason: 'malformed', components: [] }
    const checks = signatures
      .filter((signature) => TAGS.has(paramsOf(signature).tag ?? ''))
      .slice(0, CHECKED_MAX)
      .map((signature) => check(signature, request, sent))
    return (
      checks.find(({ state }) => state === 'valid') ??
      checks.find(({ state }) => state === 'pending') ??
      checks[0]
    )
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')

const PUBLIC_ORIGIN = /^https:\/\/[^:]+$/

/** Seconds; later ones are no dates any more. */
const TIME_MAX = 1e11

interface SignatureParams {
  tag: string | undefined
  keyId: string | undefined
  nonce: string | undefined
  algorithm: string | undefined
  createdAt: number | undefined
  expiresAt: number | undefined
}

function paramsOf({ parameters }: MessageSignature): SignatureParams {
  const text = (name: string) => {
    const value = parameters.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const time = (name: string) => {
    const value = parameters.get(name)
    return Number.isInteger(value) && Number(value) >= 0 && Number(value) < TIME_MAX
      ? Number(value) * 1_000
      : undefined
  }
  return {
    tag: text('tag'),
    keyId: text('keyid'),
    nonce: text('nonce'),
    algorithm: text('alg')?.toLowerCase(),
    createdAt: time('created'),
    expiresAt: time('expires'),
  }
}

/**
 * The origin that vouches for the key, from the member of `Signature-Agent` that the signature covers. Later drafts make
 * the field a dictionary; ChatGPT sends the item of the first ones (https://help.openai.com/en/articles/11845367).
 */
function signatureAgent(
  signature: MessageSignature,
  request: SignedRequest,
): { origin: string } | Extract<SignatureRefusal, `${string}signature_agent` | 'missing_component'> {
  const field = fieldOf(request, 'signature-agent')
  if (field === undefined) return 'no_signature_agent'
  const component = signature.components.find(([name]) => name === 'signature-agent')
  // Otherwise anybody could put another name on somebody's signature.
  if (!component) return 'missing_component'
  const key = component[1].get('key')
  const item = typeof key === 'string' ? memberOf(request, key) : (itemOf(field) ?? onlyMemberOf(request))
  const origin = item && originOf(item)
  return origin === undefined ? 'unsupported_signature_agent' : { origin }
}

function itemOf(field: string): Item | undefined {
  try {
    return parseItem(field)
  } catch {
    return undefined
  }
}

function memberOf(request: SignedRequest, key: string): Item | undefined {
  const member = dictionaryOf(request, 'signature-agent')?.get(key)
  return member && !isInnerList(member) ? member : undefined
}

function onlyMemberOf(request: SignedRequest): Item | undefined {
  const members = dictionaryOf(request, 'signature-agent')
  const [first] = members?.values() ?? []
  return members?.size === 1 && first && !isInnerList(first) ? first : undefined
}

/** Only origins are asked, for the one path that is known. Other ways of publishing keys are not supported. */
function originOf([value, parameters]: Item): string | undefined {
  const type = parameters.get('type')
  if (typeof value !== 'string' || value.length > 256) return undefined
  if (type !== undefined && String(type) !== 'directory') return undefined
  const url = URL.parse(value)
  const isOrigin =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!isOrigin || !['/', DIRECTORY_PATH].includes(url.pathname)) return undefined
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : undefined
}
