import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Directory } from '../auth/directory.ts'
import { addEndpoint } from '../deliver/webhook-endpoints.ts'
import { readDemoKeys } from '../demo/demo-keys.ts'
import type { DemoDeps } from '../demo/demo-routes.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Store } from '../store/store.ts'
import { type Config, publicUrls } from './config.ts'

const DEMO_DIR = fileURLToPath(new URL('../../../dashboard/dist/demo/', import.meta.url))

interface DemoWiring {
  config: Config
  store: Store
  directory: Directory
  box: SecretBox
  log: Logger
  now(): number
}

/** The demo stands on the same footing as a customer: keys, an endpoint and the public URLs. */
export async function openDemo({
  config,
  store,
  directory,
  box,
  log,
  now,
}: DemoWiring): Promise<{ deps: DemoDeps; receiverUrl: string } | undefined> {
  const keys = await readDemoKeys(config.DATA_DIR)
  if (!keys) return undefined
  const urls = publicUrls(config)
  const demoUrl = `${urls.agent}/demo`
  const receiverUrl = `${demoUrl}/webhook`
  const endpointOf = (url: string) =>
    directory.byName(keys.domain)?.endpoints.find((endpoint) => endpoint.url === url)

  const deps: DemoDeps = {
    publicKey: keys.public_key,
    apiKey: keys.api_key,
    webhookSecret: () => endpointOf(receiverUrl)?.secret,
    signatureHeader: `X-${config.SERVICE_NAME}-Signature`,
    historyUrl: urls.history,
    agentUrl: urls.agent,
    ingestUrl: urls.ingest,
    demoUrl,
    staticDir: DEMO_DIR,
    async addWebhookEndpoint(url) {
      const domain = directory.byName(keys.domain)
      if (!domain || endpointOf(url)) return
      await addEndpoint(store, box, domain.id, url, now())
      await directory.refresh()
    },
    now,
    warn: (message, error) => log.warn({ err: error }, message),
  }
  return { deps, receiverUrl }
}
