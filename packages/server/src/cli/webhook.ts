import { Argument, Command } from 'commander'
import { serverWebhookSettings } from '../composition/webhook-settings.ts'
import { type Attempt, type AttemptDeps, delivered, refused } from '../deliver/attempt.ts'
import { ping, sendTest } from '../deliver/ping.ts'
import { createSafeFetch } from '../deliver/safe-fetch.ts'
import { newEndpoint, rotateSecret, storeEndpoint, webhookUrl } from '../deliver/webhook-endpoints.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { withoutSecrets } from '../lib/without-secrets.ts'
import { type EndpointRow, endpointStore, removeEndpoint } from '../store/domains/domains.ts'
import { BOOLEAN, INTEGER, isJson, parsedBy, print } from './command-line.ts'
import { inSession, recorded, type Session } from './session.ts'

const endpointId = () => new Argument('<id>', 'ID of the endpoint').argParser(parsedBy(INTEGER))

const presentEndpoint = ({ id, url, state, enabled }: EndpointRow) => ({
  id,
  url,
  state,
  enabled: enabled === 1,
})

/** `inkling webhook`: where a domain's events go. */
export function webhookCommand(): Command {
  const command = new Command('webhook').description(
    'add, verify, test, enable, disable and remove webhook endpoints',
  )

  command
    .command('add <domain> <url>')
    .description('add an endpoint and print its signing secret, which is not shown again')
    .action(async (name: string, text: string, _options, self: Command) => {
      const added = await inSession(async ({ config, store, secrets, domain }) => {
        const { id } = await domain(name)
        const url = webhookUrl(text, (await serverWebhookSettings(store, config)).allowPrivate)
        const { row, secret } = newEndpoint(secrets, id, url, Date.now())
        const entry = { action: 'endpoint.add', target: name, detail: { url: withoutSecrets(url) } }
        return {
          secret,
          row: await recorded(store, entry, (transaction) => storeEndpoint(transaction, row)),
        }
      })
      const { id, url, state } = added.row
      print({ id, url, secret: added.secret, state }, isJson(self))
    })

  command
    .command('list <domain>')
    .description('list the endpoints of a domain')
    .action(async (name: string, _options, self: Command) => {
      const rows = await inSession(async ({ store, domain }) =>
        endpointStore(store.reads).list((await domain(name)).id),
      )
      print(rows.map(presentEndpoint), isJson(self))
    })
  addSendingCommands(command)
  addRotateCommand(command)
  addChangingCommands(command)
  return command
}

function addSendingCommands(command: Command): void {
  command
    .command('ping <domain>')
    .addArgument(endpointId())
    .description('send webhook.ping; an answer of 2xx within 5 seconds verifies the endpoint')
    .action(async (name: string, id: number, _options, self: Command) => {
      const result = await inSession(async (session) => {
        const endpoint = await session.endpoint(name, id)
        const sent = await withSender(session, (deps) =>
          ping(session.store, session.secrets, endpoint, deps, { onlyUp: true }),
        )
        return { ...sent, wasVerified: endpoint.state === 'verified' }
      })
      if (refused(result.attempt)) throw new AppError('INK_COMMAND', `not sent: ${result.attempt.error}`)
      if (result.state === 'failed' && result.wasVerified)
        console.error(
          'the endpoint stays verified, because the failure may be due to this machine or its settings',
        )
      printAttempt(id, result.state, result.attempt, isJson(self))
    })

  command
    .command('test <domain>')
    .addArgument(endpointId())
    .description('send a fixed sample of identification.scored; the state does not change')
    .action(async (name: string, id: number, _options, self: Command) => {
      const attempt = await inSession(async (session) => {
        const endpoint = await session.endpoint(name, id)
        return withSender(session, (deps) => sendTest(session.secrets, endpoint, deps))
      })
      printAttempt(id, delivered(attempt) ? 'verified' : 'failed', attempt, isJson(self))
    })
}

function addRotateCommand(command: Command): void {
  command
    .command('rotate <domain>')
    .addArgument(endpointId())
    .description(
      'replace the signing secret and print the new one, which signs X-Svc-Signature (Svc: your SERVICE_NAME) at once; in the headers of Standard Webhooks the old one stays valid for WEBHOOK_SECRET_OVERLAP_HOURS',
    )
    .action(async (name: string, id: number, _options, self: Command) => {
      const rotated = await inSession(async ({ config, store, secrets, endpoint }) => {
        const row = await endpoint(name, id)
        const { secretOverlapHours } = await serverWebhookSettings(store, config)
        const previousUntil = Date.now() + secretOverlapHours * HOUR_MS
        const entry = { action: 'endpoint.rotate_secret', target: name, detail: { endpoint: id } }
        const secret = await recorded(store, entry, (transaction) =>
          rotateSecret(transaction, secrets, row.domain_id, id, previousUntil),
        )
        return { id, secret }
      })
      print(rotated, isJson(self))
    })
}

function addChangingCommands(command: Command): void {
  command
    .command('set <domain>')
    .addArgument(endpointId())
    .description('enable or disable an endpoint')
    .requiredOption('--enabled <true|false>', 'whether events are sent to it', parsedBy(BOOLEAN))
    .action(async (name: string, id: number, options: { enabled: boolean }, self: Command) => {
      const changed = await inSession(async ({ store, endpoint }) => {
        const row = await endpoint(name, id)
        const { enabled } = options
        const entry = { action: 'endpoint.change', target: name, detail: { endpoint: id, enabled } }
        return recorded(store, entry, (transaction) =>
          endpointStore(transaction).change(row.domain_id, id, { enabled: enabled ? 1 : 0 }),
        )
      })
      if (changed) print(presentEndpoint(changed), isJson(self))
    })

  command
    .command('remove <domain>')
    .addArgument(endpointId())
    .description('remove an endpoint; events that wait for it are dropped')
    .action(async (name: string, id: number, _options, self: Command) => {
      const { url } = await inSession(async ({ store, endpoint }) => {
        const row = await endpoint(name, id)
        const entry = { action: 'endpoint.remove', target: name, detail: { endpoint: id } }
        await recorded(store, entry, (transaction) => removeEndpoint(transaction, row.domain_id, id))
        return row
      })
      print({ id, url }, isJson(self))
    })
}

/** The reason of a failure goes to standard error, so that the JSON keeps its shape. */
function printAttempt(id: number, state: 'verified' | 'failed', attempt: Attempt, json: boolean): void {
  if (attempt.error !== undefined) console.error(attempt.error)
  print({ id, state, status: attempt.status ?? null, duration_ms: attempt.durationMs }, json)
}

/** Sends as the server does. */
async function withSender<Result>(
  { config, store }: Session,
  send: (deps: AttemptDeps) => Promise<Result>,
): Promise<Result> {
  const { serviceName, standardHeaders, allowPrivate, allowedUrls } = await serverWebhookSettings(
    store,
    config,
  )
  const fetch = createSafeFetch({ allowPrivate, allowedUrls: new Set(allowedUrls) })
  try {
    return await send({ fetch, serviceName, standardHeaders, now: Date.now })
  } finally {
    await fetch.close()
  }
}
