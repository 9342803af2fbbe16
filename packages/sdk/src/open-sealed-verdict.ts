import {
  bandOf,
  type DetectionFlags,
  NO_FLAGS,
  namesOne,
  SEALED_VERDICT,
  type SealedContent,
  sealedVerdictBinding,
} from '@inkling/contract'
import { InklingError } from './inkling-error.ts'
import { memoryReplayStore, type ReplayStore } from './replay-store.ts'
import type { ScoredVerdict } from './verdict.ts'

export interface SealedVerdictOptions {
  /** The verdict keys of the domain, `ivk_…`. During a rotation pass the old and the new one. */
  keys: string | readonly string[]
  /** The registered domain. */
  domain: string
  /** The request ID that the page sent. */
  requestId: string
  /** Where opened verdicts are remembered. Pass a shared one if several processes open them; default: this process. */
  replayStore?: ReplayStore
  now?: () => number
}

/** What was known when the visit was stored; later evidence is in none. */
export interface OpenedVerdict extends ScoredVerdict {
  cookieId: string | undefined
  /** Version of the identification. */
  ver: number
}

/**
 * - `rate_limited`: the visitor's address sent too much, so nothing is known
 * - `unverified`: nothing that may be trusted; ask the server, or treat it like `challenge` or `deny`
 */
export type SealedVerdict =
  | OpenedVerdict
  | { status: 'rate_limited'; requestId: string }
  | { status: 'unverified'; requestId: string; reason: 'invalid' | 'expired' | 'used' | 'repeated' }

const OPENED_MAX = 100_000
const opened = memoryReplayStore({ max: OPENED_MAX })
/** How far the clocks of this machine and the server may differ. */
const CLOCK_MARGIN_MS = 60_000
const BYTES = SEALED_VERDICT.nonceBytes + SEALED_VERDICT.contentBytes + SEALED_VERDICT.tagBytes

/**
 * Opens the verdict that the agent got with the acknowledgment of a visit, once, without asking the server.
 *
 * @example
 * const verdict = await openSealedVerdict(form.sealed_verdict, { keys, domain: 'shop.example', requestId: form.request_id })
 * if (verdict.status !== 'scored') return askTheServer()
 *
 * @throws InklingError `invalid_argument` for a key that is none, and what the store throws
 */
export async function openSealedVerdict(
  sealed: unknown,
  { keys, domain, requestId, replayStore = opened, now = Date.now }: SealedVerdictOptions,
): Promise<SealedVerdict> {
  const id = typeof requestId === 'string' ? requestId.toLowerCase() : ''
  const unverified = (reason: 'invalid' | 'expired' | 'used' | 'repeated'): SealedVerdict => ({
    status: 'unverified',
    requestId: id,
    reason,
  })
  const known = [keys].flat().map(readKey)
  const content = await decrypted(sealed, known, { domain, requestId: id })
  if (!content) return unverified('invalid')
  const nowMs = now()
  if (nowMs >= content.expires_at || nowMs < content.issued_at - CLOCK_MARGIN_MS) return unverified('expired')
  if (content.status === 'repeated') return unverified('repeated')
  const isFirst = await replayStore.claim(`sealed:${id}`, content.expires_at - nowMs + CLOCK_MARGIN_MS)
  if (!isFirst) return unverified('used')
  return content.status === 'scored' ? verdictOf(id, content) : { status: 'rate_limited', requestId: id }
}

const KEY = /^ivk_([0-9a-f]{8})_([0-9a-f]{64})$/

interface Key {
  id: string
  bytes: Uint8Array<ArrayBuffer>
}

function readKey(text: string): Key {
  const [, id, hex] = KEY.exec(text) ?? []
  if (id === undefined || hex === undefined)
    throw new InklingError('invalid_argument', 'a verdict key begins with ivk_')
  return {
    id,
    bytes: Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16)),
  }
}

const utf8 = new TextEncoder()

async function decrypted(
  sealed: unknown,
  keys: readonly Key[],
  to: { domain: string; requestId: string },
): Promise<SealedContent | undefined> {
  const [version, keyId = '', text = '', ...rest] = typeof sealed === 'string' ? sealed.split('.') : []
  const bytes = rest.length === 0 ? bytesOf(text) : undefined
  const key = keys.find(({ id }) => id === keyId)
  if (version !== SEALED_VERDICT.version || !key || bytes?.length !== BYTES) return undefined
  const opener = await crypto.subtle.importKey('raw', key.bytes, 'AES-GCM', false, ['decrypt'])
  const iv = bytes.slice(0, SEALED_VERDICT.nonceBytes)
  const additionalData = utf8.encode(sealedVerdictBinding({ keyId, ...to }))
  try {
    const content = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData },
      opener,
      bytes.slice(SEALED_VERDICT.nonceBytes),
    )
    return JSON.parse(new TextDecoder().decode(content)) as SealedContent
  } catch {
    return undefined
  }
}

/** Undefined for what the server would not have written: one verdict has one text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(plain, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function verdictOf(requestId: string, content: SealedContent): SealedVerdict {
  const { score = Number.NaN, flags = [], device_id, visitor_id, cookie_id, ver = 0 } = content
  const band = bandOf(score)
  if (band === 'rate_limited') return { status: 'rate_limited', requestId }
  const raised = Object.fromEntries(flags.map((flag) => [flag, true]))
  return {
    status: 'scored',
    requestId,
    score,
    band,
    flags: { ...NO_FLAGS, ...raised } as DetectionFlags,
    signals: [],
    observedAtMs: content.observed_at,
    deviceId: nameOf(device_id),
    visitorId: nameOf(visitor_id),
    cookieId: nameOf(cookie_id),
    userHid: undefined,
    ver,
  }
}

const nameOf = (id: string | undefined): string | undefined =>
  id !== undefined && namesOne(id) ? id : undefined
