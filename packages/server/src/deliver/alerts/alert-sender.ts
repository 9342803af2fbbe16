import type { AlertChannelSettings } from '@inkling/contract/account'
import { createTransport } from 'nodemailer'
import { type Attempt, attemptPost, delivered, sign } from '../attempt.ts'
import type { SafeFetch } from '../safe-fetch.ts'
import type { AlertMessage } from './alert-message.ts'
import { alertMail } from './email.ts'
import { PAGERDUTY_URLS, pagerDutyEvent } from './pagerduty.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'
import { webhookBody } from './webhook.ts'

/** A receiver of alerts does more than one of events, which may take a second. */
const POST_TIMEOUT_MS = 5_000
const SMTP_TIMEOUT_MS = 10_000
/** Of a whole mail, each step of which has the limit above. Shorter than a message is held. */
const MAIL_TIMEOUT_MS = 60_000
const ANSWER_MAX = 200

/** The outcome of one send. */
export interface AlertSend {
  delivered: boolean
  /** What the receiver answered, or why there was no answer. */
  answer: string
  /** Whether a retry may succeed. */
  retryable: boolean
  durationMs: number
}

export interface AlertSender {
  canMail: boolean
  /** A failure is returned, never thrown. */
  send(settings: AlertChannelSettings, message: AlertMessage): Promise<AlertSend>
  close(): void
}

export interface AlertSenderDeps {
  /** Refuses private addresses like for the endpoints of webhooks. */
  fetch: Pick<SafeFetch, 'post'>
  /** Short name in header names. */
  serviceName: string
  /** Undefined where no mail can be sent. */
  mail: { smtpUrl: string; from: string } | undefined
  pagerDutyUrls?: Record<'us' | 'eu', string>
  now(): number
}

/** Sends alerts to receivers of every kind. */
export function createAlertSender({
  fetch,
  serviceName,
  mail,
  pagerDutyUrls = PAGERDUTY_URLS,
  now,
}: AlertSenderDeps): AlertSender {
  const transport = mail && openTransport(mail.smtpUrl)

  async function post(url: string, body: object, secret?: string): Promise<AlertSend> {
    const bytes = Buffer.from(JSON.stringify(body))
    const signature = secret === undefined ? {} : { [`X-${serviceName}-Signature`]: sign(bytes, secret) }
    const headers = { 'content-type': 'application/json', 'user-agent': 'Inkling', ...signature }
    return ofAttempt(
      await attemptPost({ url, body: bytes, headers, timeoutMs: POST_TIMEOUT_MS }, fetch, now()),
    )
  }

  async function mailTo(addresses: readonly string[], message: AlertMessage): Promise<AlertSend> {
    if (!transport || !mail)
      return refused('this installation sends no e-mail: set SMTP_URL and ALERT_MAIL_FROM')
    const startedMs = performance.now()
    const outcome = (sent: Omit<AlertSend, 'durationMs'>): AlertSend => ({
      ...sent,
      durationMs: Math.round(performance.now() - startedMs),
    })
    try {
      const sending = transport.sendMail(alertMail(message, { from: mail.from, to: addresses }))
      const { response } = await within(MAIL_TIMEOUT_MS, sending)
      return outcome({ delivered: true, answer: short(response), retryable: false })
    } catch (error) {
      return outcome({ delivered: false, answer: short(mailProblem(error)), retryable: isRetryable(error) })
    }
  }

  return {
    canMail: mail !== undefined,
    send(settings, message) {
      switch (settings.kind) {
        case 'email':
          return mailTo(settings.addresses, message)
        case 'slack':
          return post(settings.url, slackMessage(message))
        case 'teams':
          return post(settings.url, teamsMessage(message))
        case 'pagerduty':
          return post(pagerDutyUrls[settings.region], pagerDutyEvent(message, settings.routing_key))
        case 'webhook':
          return post(settings.url, webhookBody(message), settings.secret)
      }
    },
    close: () => transport?.close(),
  }
}

const openTransport = (url: string) =>
  createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    dnsTimeout: SMTP_TIMEOUT_MS,
    // A message has no attachments, so nothing is ever to be read from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

const ofAttempt = (attempt: Attempt): AlertSend => ({
  delivered: delivered(attempt),
  answer: short(attempt.status === undefined ? (attempt.error ?? 'no answer') : `HTTP ${attempt.status}`),
  retryable: attempt.retryable,
  durationMs: attempt.durationMs,
})

const refused = (answer: string): AlertSend => ({ delivered: false, answer, retryable: false, durationMs: 0 })

async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), timeoutMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The server's own answer where there is one. */
function mailProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  if ('response' in error && typeof error.response === 'string') return error.response
  return error.message
}

/** A server that answers 5yz has refused for good (RFC 5321, 4.2.1). */
const isRetryable = (error: unknown): boolean =>
  !(
    error instanceof Error &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= 500
  )

const short = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, ANSWER_MAX)
