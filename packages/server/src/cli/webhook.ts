import { Command } from 'commander'
import { type Attempt, attemptSend, delivered } from '../deliver/attempt.ts'
import { eventJson } from '../deliver/event-json.ts'
import { ping } from '../deliver/ping.ts'
import { createSafeFetch } from '../deliver/safe-fetch.ts'
import { TEST_SAMPLE } from '../deliver/test-sample.ts'
import { addEndpoint, rotateSecret, webhookUrl } from '../deliver/webhook-endpoints.ts'
import { type EndpointRow, endpointStore } from '../store/endpoints.ts'
import { isJson, readBoolean, readInteger } from './options.ts'
import { print } from './print.ts'
import { inSession, type Session } from './session.ts'

const TEST_TIMEOUT_MS = 5_000

const presentEndpoint = ({ id, url, state, enabled }: EndpointRow) => ({
  id,
  url,
  state,
  enabled: enabled === 1,
})

/** `inkling webhook`: where a domain's events go. */
export function webhookCommand(): Command {
  const command = new Command('webhook').description('add, verify, test and switch webhook endpoints')

  command
    .command('add <domain> <url>')
    .description('add an endpoint and print its signing secret, which is shown only now')
    .action(async (name: string, text: string, _options, self: Command) => {
      const added = await inSession(async ({ config, store, secrets, domain }) => {
        const { id } = await domain(name)
        const url = webhookUrl(text, config.WEBHOOK_ALLOW_PRIVATE)
        return addEndpoint(store, secrets, id, url, Date.now())
      })
      const { id, url, state } = added.row
      print({ id, url, secret: added.secret, state }, isJson(self))
    })

  command
    .command('list <domain>')
    .description('list the endpoints')
    .action(async (name: string, _options, self: Command) => {
      const rows = await inSession(async ({ store, domain }) =>
        endpointStore(store.reads).list((await domain(name)).id),
      )
      print(rows.map(presentEndpoint), isJson(self))
    })

  command
    .command('ping <domain> <id>')
    .description('send webhook.ping: an answer of 2xx within 5 seconds verifies the endpoint')
    .action(async (name: string, id: string, _options, self: Command) => {
      const result = await inSession(async (session) => {
        const endpoint = await session.endpoint(name, readInteger(id))
        return withSender(session, (deps) => ping(session.store, session.secrets, endpoint, deps))
      })
      print(presentAttempt(result.state, result.attempt), isJson(self))
    })

  command
    .command('test <domain> <id>')
    .description('send the fixed sample of identification.scored; the state stays as it is')
    .action(async (name: string, id: string, _options, self: Command) => {
      const attempt = await inSession((session) => sendSample(session, name, readInteger(id)))
      print(presentAttempt(delivered(attempt) ? 'verified' : 'failed', attempt), isJson(self))
    })

  command
    .command('rotate <domain> <id>')
    .description('replace the signing secret at once and print the new one')
    .action(async (name: string, id: string, _options, self: Command) => {
      const rotated = await inSession(async ({ store, secrets, endpoint }) => {
        const row = await endpoint(name, readInteger(id))
        return { id: row.id, secret: await rotateSecret(store, secrets, row.domain_id, row.id) }
      })
      print(rotated, isJson(self))
    })

  command
    .command('set <domain> <id>')
    .description('switch an endpoint on or off')
    .requiredOption('--enabled <true|false>', 'whether events are sent to it', readBoolean)
    .action(async (name: string, id: string, options: { enabled: boolean }, self: Command) => {
      const changed = await inSession(async ({ store, endpoint }) => {
        const row = await endpoint(name, readInteger(id))
        return store.writes
          .transaction()
          .execute((transaction) =>
            endpointStore(transaction).change(row.domain_id, row.id, { enabled: options.enabled ? 1 : 0 }),
          )
      })
      if (changed) print(presentEndpoint(changed), isJson(self))
    })

  return command
}

const presentAttempt = (state: 'verified' | 'failed', { status, error, durationMs }: Attempt) => ({
  state,
  status: status ?? null,
  duration_ms: durationMs,
  ...(error !== undefined && { error }),
})

async function sendSample(session: Session, name: string, id: number): Promise<Attempt> {
  const endpoint = await session.endpoint(name, id)
  const secret = session.secrets.open(endpoint.sealed_secret)
  const body = eventJson(TEST_SAMPLE)
  return withSender(session, (deps) =>
    attemptSend({ url: endpoint.url, secret, body, timeoutMs: TEST_TIMEOUT_MS }, deps),
  )
}

type Sender = Parameters<typeof attemptSend>[1]

async function withSender<Result>(
  { config }: Session,
  send: (deps: Sender) => Promise<Result>,
): Promise<Result> {
  const fetch = createSafeFetch({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE })
  try {
    return await send({ fetch, serviceName: config.SERVICE_NAME, now: Date.now })
  } finally {
    await fetch.close()
  }
}
