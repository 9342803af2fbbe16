import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { createClient } from '@inkling/sdk'
import type { FastifyPluginAsync } from 'fastify'
import { demoFiles } from './demo-files.ts'
import { demoDevice, demoVerdict } from './demo-history.ts'
import { deliveryLog, demoWebhook } from './demo-webhook.ts'

/** What the demo may know: what a customer's backend knows, and nothing of the server's insides. */
export interface DemoDeps {
  publicKey: string
  /** Private API Key; it never reaches the page. */
  apiKey: string
  /** Current signing secret of the demo's endpoint, once there is one. */
  webhookSecret: () => string | undefined
  /** Name of the header that carries a signature, e.g. `X-Svc-Signature`. */
  signatureHeader: string
  historyUrl: string
  agentUrl: string
  ingestUrl: string
  /** Address of the demo page, e.g. `http://localhost:8080/demo`. */
  demoUrl: string
  /** Where the built page is. */
  staticDir: string
  /** Creates the demo's webhook endpoint unless it exists. */
  addWebhookEndpoint: (url: string) => Promise<void>
  now: () => number
  /** Into the server's log, for what the page can only call a failure. */
  warn?: (message: string, error: unknown) => void
}

/**
 * The demo page and its small backend. It reads verdicts the way a customer does: History API with the
 * key, signed webhooks into a receiver of its own.
 */
export function demoRoutes(deps: DemoDeps): FastifyPluginAsync {
  return async (app) => {
    const deliveries = deliveryLog()
    // The page does the polling; here one try is one answer.
    const { historyUrl, apiKey } = deps
    const inkling = createClient({ historyUrl, apiKey, retry: { attempts: 1 } })

    await app.register(demoFiles(deps))
    await app.register(demoSession(deps))
    await app.register(demoVerdict({ ...deps, inkling, deliveries }))
    await app.register(demoDevice({ ...deps, inkling }))
    await app.register(demoWebhook({ ...deps, deliveries }))
  }
}

const signalTitles = Object.fromEntries(
  Object.entries(SIGNAL_CATALOGUE).map(([name, { title }]) => [name, title]),
)

/** What the page needs to start. It holds nothing that a visitor may not know. */
export interface DemoSession {
  publicKey: string
  agentUrl: string
  historyUrl: string
  /** Whether the demo's own webhook endpoint is set up. */
  webhookReady: boolean
  /** Display titles by signal name. */
  signalTitles: Record<string, string>
}

/** GET /demo/session: sets the demo's webhook endpoint up before the first identification. */
export function demoSession({
  publicKey,
  agentUrl,
  historyUrl,
  demoUrl,
  addWebhookEndpoint,
  warn,
}: DemoDeps): FastifyPluginAsync {
  let adding: Promise<void> | undefined

  return async (app) => {
    app.get('/demo/session', async (_, reply): Promise<DemoSession> => {
      let webhookReady = true
      try {
        // Pages that open at the same moment wait for the same endpoint.
        adding ??= addWebhookEndpoint(`${demoUrl.replace(/\/+$/, '')}/webhook`)
        await adding
      } catch (error) {
        adding = undefined
        webhookReady = false
        warn?.('the demo goes on without its webhook endpoint', error)
      }
      reply.header('cache-control', 'no-store')
      return { publicKey, agentUrl, historyUrl, webhookReady, signalTitles }
    })
  }
}
