import { createHmac } from 'node:crypto'
import { ForbiddenTarget, type SafeFetch } from './safe-fetch.ts'

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
  now(): number
}

export interface Outgoing {
  url: string
  secret: string
  body: Uint8Array
  timeoutMs: number
  /** Set when failed sends are retried, so that a receiver can recognise a repeat. */
  eventId?: string
}

/** Sends one signed event. A failure is returned, never thrown. */
export async function attemptSend(
  outgoing: Outgoing,
  { fetch, serviceName, now }: AttemptDeps,
): Promise<Attempt> {
  const { url, secret, body, timeoutMs, eventId } = outgoing
  const sentAt = now()
  const startedMs = performance.now()
  const duration = (): number => Math.round(performance.now() - startedMs)
  const headers = {
    'content-type': 'application/json',
    [`X-${serviceName}-Signature`]: sign(body, secret),
    ...(eventId !== undefined && { [`X-${serviceName}-Event-Id`]: eventId }),
  }
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
 * Value of the signature header: HMAC-SHA256 over the exact body bytes. The key is the whole secret as
 * text, its `whsec_` prefix included.
 */
export const sign = (body: Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
