import { SIGNAL_CATALOGUE } from '@inkling/contract'
import type { FastifyPluginAsync } from 'fastify'
import type { DemoDeps } from './demo-routes.ts'

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
