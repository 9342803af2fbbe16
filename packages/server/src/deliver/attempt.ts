import { createHmac } from 'node:crypto'
import type { SigningSecrets } from '../auth/signing-secrets.ts'
import { ForbiddenTarget, type SafeFetch } from './safe-fetch.ts'
import { standardHeaders } from './standard-headers.ts'

/** The outcome of one send. */
export interface Attempt {
  sentAt: number
  durationMs: number
  /** Undefined when no answer came. */
  status: number | undefined
  /** Why no answer came; operators read it in the delivery log. */
  error: string | undefined
  /** Whether a retry may succeed. */
  retryable: boolean
}

export interface AttemptDeps {
  fetch: SafeFetch
  /** Short name in header names. */
  serviceName: string
  /** Whether to add the headers of Standard Webhooks. The contract has no header for an ID or a time. */
  standardHeaders: boolean
  now(): number
}

export interface Outgoing {
  url: string
  secrets: SigningSecrets
  body: Uint8Array
  timeoutMs: number
  /** The same in every retry. */
  eventId: string
  /** Whether the contract's header for the ID is sent: when failed sends are retried. */
  namesEvent: boolean
}

/** Sends one signed event. A failure is returned, never thrown. */
export function attemptSend(outgoing: Outgoing, deps: AttemptDeps): Promise<Attempt> {
  const sentAt = deps.now()
  return attemptPost({ ...outgoing, headers: headersOf(outgoing, sentAt, deps) }, deps.fetch, sentAt)
}

interface Post extends Pick<Outgoing, 'url' | 'body' | 'timeoutMs'> {
  headers: Record<string, string>
}

/** Posts once. A failure is returned, never thrown. */
export async function attemptPost(
  { url, body, headers, timeoutMs }: Post,
  fetch: Pick<SafeFetch, 'post'>,
  sentAt: number,
): Promise<Attempt> {
  const startedMs = performance.now()
  const duration = (): number => Math.round(performance.now() - startedMs)
  try {
    const { status } = await fetch.post(url, body, headers, timeoutMs)
    const retryable = status === 429 || status >= 500
    return { sentAt, durationMs: duration(), status, error: undefined, retryable }
  } catch (error) {
    return {
      sentAt,
      durationMs: duration(),
      status: undefined,
      error: reason(error),
      retryable: !isForbidden(error),
    }
  }
}

/**
 * The contract's header has one signature, which is the new secret's at once after a rotation. The one of Standard
 * Webhooks can have two, so a receiver may change its secret at any time while both are valid.
 */
function headersOf(
  { secrets: { secret, previous }, body, eventId, namesEvent }: Outgoing,
  sentAtMs: number,
  { serviceName, standardHeaders: isStandard }: AttemptDeps,
): Record<string, string> {
  const valid = previous && sentAtMs < previous.untilMs ? [secret, previous.secret] : [secret]
  return {
    'content-type': 'application/json',
    [`X-${serviceName}-Signature`]: sign(body, secret),
    ...(namesEvent && { [`X-${serviceName}-Event-Id`]: eventId }),
    ...(isStandard && standardHeaders({ id: eventId, sentAtMs, body }, valid)),
  }
}

export const delivered = ({ status }: Attempt): boolean =>
  status !== undefined && status >= 200 && status < 300

/** Whether this machine refused to send: nothing was learned about the endpoint. */
export const refused = ({ status, retryable }: Attempt): boolean => status === undefined && !retryable

const isForbidden = (error: unknown): boolean =>
  error instanceof ForbiddenTarget || (error instanceof Error && error.cause instanceof ForbiddenTarget)

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  if (error.name === 'TimeoutError') return 'no answer in time'
  if ('code' in error && typeof error.code === 'string') return `${error.code}: ${error.message}`
  return error.message
}

/**
 * Value of the contract's signature header: HMAC-SHA256 over the exact body bytes. The key is the whole secret as
 * text, its `whsec_` prefix included.
 */
export const sign = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
