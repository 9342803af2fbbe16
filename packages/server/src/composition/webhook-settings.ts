import { z } from 'zod'
import { readDemoKeys } from '../demo/demo-keys.ts'
import { serverSettingsStore } from '../store/server-settings.ts'
import type { Store } from '../store/store.ts'
import { type Config, publicUrls } from './config.ts'
import { type Demo, demoReceiverUrl } from './demo.ts'

const WebhookSettings = z.object({
  serviceName: z.string(),
  standardHeaders: z.boolean().default(false),
  secretOverlapHours: z.number().default(0),
  allowPrivate: z.boolean(),
  /** Addresses of this machine to which the server sends nevertheless: the demo's. */
  allowedUrls: z.array(z.string()),
})

/** How a server sends webhooks. */
export type WebhookSettings = z.infer<typeof WebhookSettings>

export const webhookSettings = (config: Config, demo: Pick<Demo, 'receiverUrl'> | undefined) => ({
  serviceName: config.SERVICE_NAME,
  standardHeaders: config.WEBHOOK_STANDARD_HEADERS,
  secretOverlapHours: config.WEBHOOK_SECRET_OVERLAP_HOURS,
  allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
  allowedUrls: demo ? [demo.receiverUrl] : [],
})

/** Tells commands how this server sends. With several servers the last one to start counts: they have equal settings. */
export const publishWebhookSettings = (store: Store, settings: WebhookSettings): Promise<unknown> =>
  serverSettingsStore(store.writes).replace(JSON.stringify(settings))

/** How the server sends: a command runs in a shell, which may lack the server's environment variables. */
export async function serverWebhookSettings(store: Store, config: Config): Promise<WebhookSettings> {
  const published = await serverSettingsStore(store.reads).read()
  if (published !== undefined) return WebhookSettings.parse(JSON.parse(published))
  // No server has run on this database yet.
  const hasDemo = (await readDemoKeys(config.DATA_DIR)) !== undefined
  return webhookSettings(config, hasDemo ? { receiverUrl: demoReceiverUrl(publicUrls(config)) } : undefined)
}
