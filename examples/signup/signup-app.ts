import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Client, type DecidedVisit, InklingError } from '@inkling/sdk'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { messageFor, TOO_MANY_ACCOUNTS } from './message-for.ts'
import { formPage, waitPage, welcomePage } from './pages.ts'

export interface SignupOptions {
  inkling: Client
  agentUrl: string
  publicKey: string
  /** Sends the link by which a visitor confirms an e-mail address. */
  mail(email: string, path: string): void
}

export interface Signup {
  app: FastifyInstance
  /** For the back office: closes an account that was used for abuse, and tells Inkling which visit opened it. */
  closeForAbuse(email: string): Promise<void>
}

interface Account {
  requestId: string
  deviceId: string | null
  state: 'open' | 'in review' | 'unconfirmed'
}

const ACCOUNTS_PER_DEVICE = 2
/** A form that was open for longer is sent again. */
const MAX_AGE_SECONDS = 300
const SCRIPT = new URL('./signup-page.js', import.meta.url)

/** What happens to the account for each action but `deny`, and what the visitor reads. */
const OUTCOMES = {
  allow: { status: 201, state: 'open', next: '' },
  review: { status: 202, state: 'in review', next: 'We look at it and write to you.' },
  challenge: { status: 202, state: 'unconfirmed', next: 'Please open the link in our e-mail.' },
} as const

/** The sign-up form of a shop. Accounts are in memory here; a shop has a database. */
export function buildSignup({ inkling, agentUrl, publicKey, mail }: SignupOptions): Signup {
  const agent = `${agentUrl}/agent.js?publicKey=${publicKey}`
  const accounts = new Map<string, Account>()
  const confirmations = new Map<string, { email: string; account: Account }>()

  const app = fastify()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 10_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const send = (reply: FastifyReply, status: number, page: string) =>
    reply.code(status).type('text/html; charset=utf-8').send(page)
  const show = (reply: FastifyReply, status: number, message?: string) =>
    send(reply, status, formPage({ agent, message }))

  app.get('/', (_request, reply) => show(reply, 200))
  app.get('/signup-page.js', async (_request, reply) =>
    reply.type('text/javascript').send(await readFile(SCRIPT)),
  )

  app.post<{ Body: Record<string, string> | undefined }>('/', async ({ body, ip }, reply) => {
    const { email = '', request_id = '' } = body ?? {}
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return show(reply, 400, 'Please enter your e-mail address.')
    const account = pseudonymOf(email)
    if (accounts.has(account)) return show(reply, 409, 'There is an account with this address already.')

    // The rules of the domain decide, in Inkling. Each visit opens one account at most.
    const decided = await inkling.decide(request_id, {
      purpose: 'signup',
      account,
      clientAddress: ip,
      maxAgeSeconds: MAX_AGE_SECONDS,
    })
    const outcome = outcomeOf(decided)
    if (decided.status !== 'decided' || !outcome) return show(reply, 403, messageFor(decided))
    // What only the shop knows. Without a device nothing can be counted.
    const { device_id: deviceId } = decided
    const onDevice = [...accounts.values()].filter((other) => other.deviceId === deviceId)
    if (deviceId !== null && onDevice.length >= ACCOUNTS_PER_DEVICE)
      return show(reply, 403, TOO_MANY_ACCOUNTS)

    const opened: Account = { requestId: request_id, deviceId, state: outcome.state }
    accounts.set(account, opened)
    if (opened.state === 'open') return send(reply, outcome.status, welcomePage(email))
    if (opened.state === 'unconfirmed') {
      const token = randomUUID()
      confirmations.set(token, { email, account: opened })
      mail(email, `/confirm/${token}`)
    }
    return send(reply, outcome.status, waitPage(email, outcome.next))
  })

  app.get<{ Params: { token: string } }>('/confirm/:token', async ({ params: { token } }, reply) => {
    const confirmed = confirmations.get(token)
    if (!confirmed) return show(reply, 404, 'This link was used already, or is none of ours.')
    confirmations.delete(token)
    confirmed.account.state = 'open'
    return send(reply, 200, welcomePage(confirmed.email))
  })

  // During an outage this shop lets nobody in. Another may decide otherwise.
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof InklingError)
      return show(reply, 503, 'We cannot check sign-ups just now. Please try later.')
    reply.send(error)
  })

  async function closeForAbuse(email: string): Promise<void> {
    const account = accounts.get(pseudonymOf(email))
    if (!account) return
    accounts.delete(pseudonymOf(email))
    // A back-test of rules is measured against such labels.
    await inkling.label({
      kind: 'fraud',
      subject: { type: 'request', value: account.requestId },
      source: 'back_office',
    })
  }

  return { app, closeForAbuse }
}

/** Undefined for a visitor who gets no account. Who sent too much is challenged, but an e-mail would prove nothing. */
function outcomeOf(decided: DecidedVisit) {
  if (decided.status !== 'decided' || decided.band === 'rate_limited') return undefined
  // An action of a later release is no permission.
  const { action } = decided
  return action === 'allow' || action === 'review' || action === 'challenge' ? OUTCOMES[action] : undefined
}

/** So that Inkling does not learn the address. */
const pseudonymOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex')
