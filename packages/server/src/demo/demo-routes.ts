import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { createClient } from '@inkling/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { type DemoFilesDeps, demoFiles } from './demo-files.ts'
import { demoDevice, demoVerdict } from './demo-history.ts'
import { createDemoSessions, type DemoSessions } from './demo-sessions.ts'
import { createDeliveryLog, type DemoWebhookDeps, demoWebhook } from './demo-webhook.ts'

/** What the demo gets: what a customer's backend has, and nothing of the server's internals. */
export interface DemoDeps extends DemoFilesDeps, Omit<DemoWebhookDeps, 'deliveries'> {
  publicKey: string
  /** Private API Key; it never reaches the page. */
  apiKey: string
  historyUrl: string
  /** Creates the demo's webhook endpoint unless it exists. */
  addWebhookEndpoint: (url: string) => Promise<void>
  /** Logs the cause of what the page only calls a failure. */
  warn?: (message: string, error: unknown) => void
}

/**
 * The demo page and its small backend, which reads verdicts as a customer does: from the History API with its key, and
 * from signed webhooks.
 */
export function demoRoutes(deps: DemoDeps): FastifyPluginAsync {
  return async (app) => {
    const deliveries = createDeliveryLog()
    const sessions = createDemoSessions(deps.demoUrl)
    const { historyUrl, apiKey } = deps
    // One attempt, because the page polls.
    const inkling = createClient({ historyUrl, apiKey, retry: { attempts: 1 } })

    await app.register(demoFiles(deps))
    await app.register(demoSession({ ...deps, sessions }))
    await app.register(demoVerdict({ ...deps, inkling, deliveries, sessions }))
    await app.register(demoDevice({ ...deps, inkling, sessions }))
    await app.register(demoWebhook({ ...deps, deliveries }))
  }
}

const signalTitles = Object.fromEntries(
  Object.entries(SIGNAL_CATALOGUE).map(([name, { title }]) => [name, title]),
)

/** What the page needs to start. Any visitor can read it. */
interface DemoSession {
  publicKey: string
  agentUrl: string
  historyUrl: string
  /** Whether the demo's webhook endpoint exists. */
  webhookReady: boolean
  /** Display titles by signal name. */
  signalTitles: Record<string, string>
}

/** GET /demo/session: starts the browser's session and makes sure of the demo's webhook endpoint before the first identification. */
function demoSession({
  publicKey,
  agentUrl,
  historyUrl,
  demoUrl,
  addWebhookEndpoint,
  sessions,
  warn,
}: DemoDeps & { sessions: DemoSessions }): FastifyPluginAsync {
  let adding: Promise<void> | undefined

  return async (app) => {
    app.get('/demo/session', async (request, reply): Promise<DemoSession> => {
      sessions.open(request, reply)
      let webhookReady = true
      try {
        // Concurrent sessions share one attempt.
        adding ??= addWebhookEndpoint(`${demoUrl.replace(/\/+$/, '')}/webhook`)
        await adding
      } catch (error) {
        adding = undefined
        webhookReady = false
        warn?.('the demo runs without its webhook endpoint', error)
      }
      reply.header('cache-control', 'no-store')
      return { publicKey, agentUrl, historyUrl, webhookReady, signalTitles }
    })
  }
}
