import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Client, decide, InklingError, memoryReplayStore } from '@inkling/sdk'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { messageFor } from './message-for.ts'
import { formPage, welcomePage } from './pages.ts'

export interface SignupOptions {
  inkling: Client
  agentUrl: string
  publicKey: string
  now?: () => number
}

const ACCOUNTS_PER_DEVICE = 2
const SCRIPT = new URL('./signup-page.js', import.meta.url)

/** The sign-up form of a shop. Accounts are in memory here; a shop has a database. */
export function buildSignup({
  inkling,
  agentUrl,
  publicKey,
  now = Date.now,
}: SignupOptions): FastifyInstance {
  const agent = `${agentUrl}/agent.js?publicKey=${publicKey}`
  // Several processes must share one store, such as postgresReplayStore or redisReplayStore.
  const replayStore = memoryReplayStore({ now })
  const accounts = new Set<string>()
  const accountsOfDevice = new Map<string, Set<string>>()

  const app = fastify()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 10_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const show = (reply: FastifyReply, status: number, message?: string) =>
    reply.code(status).type('text/html; charset=utf-8').send(formPage({ agent, message }))

  app.get('/', (_request, reply) => show(reply, 200))
  app.get('/signup-page.js', async (_request, reply) =>
    reply.type('text/javascript').send(await readFile(SCRIPT)),
  )

  app.post<{ Body: Record<string, string> | undefined }>('/', async ({ body }, reply) => {
    const { email = '', request_id = '' } = body ?? {}
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return show(reply, 400, 'Please enter your e-mail address.')
    const account = accountOf(email)
    if (accounts.has(account)) return show(reply, 409, 'There is an account with this address already.')

    const verdict = await inkling.verdict(request_id)
    const decision = await decide(verdict, {
      replayStore,
      now,
      flags: { browser_automation: 'deny' },
      accounts: {
        max: ACCOUNTS_PER_DEVICE,
        of: (deviceId) => accountsOfDevice.get(deviceId) ?? [],
        asking: account,
      },
    })
    if (decision.action !== 'allow') return show(reply, 403, messageFor(decision))

    accounts.add(account)
    if (verdict.status === 'scored' && verdict.deviceId) {
      const known = accountsOfDevice.get(verdict.deviceId) ?? new Set()
      accountsOfDevice.set(verdict.deviceId, known.add(account))
    }
    return reply.code(201).type('text/html; charset=utf-8').send(welcomePage(email))
  })

  // During an outage this shop lets nobody in. Another may decide otherwise.
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof InklingError)
      return show(reply, 503, 'We cannot check sign-ups just now. Please try later.')
    reply.send(error)
  })
  return app
}

/** A pseudonym, so that Inkling does not learn the address. */
const accountOf = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex')
