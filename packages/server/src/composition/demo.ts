import { fileURLToPath } from 'node:url'
import { addEndpoint } from '../deliver/webhook-endpoints.ts'
import { readDemoKeys } from '../demo/demo-keys.ts'
import type { DemoDeps } from '../demo/demo-routes.ts'
import { isLoopbackHost } from '../lib/address-scope.ts'
import type { PublicUrls, ServerContext } from './config.ts'
import type { Storage } from './storage.ts'

const DEMO_DIR = fileURLToPath(new URL('../../../dashboard/dist/demo/', import.meta.url))

/** Whether only browsers on this machine can mean this server by the URL. */
const isLoopbackUrl = (url: string): boolean => isLoopbackHost(new URL(url).hostname)

export interface Demo {
  deps: DemoDeps
  /** The URL of its page; undefined once its domain was disabled or removed. */
  url(): string | undefined
  /** Where the demo receives its webhooks: an address of this server. */
  receiverUrl: string
}

export const demoReceiverUrl = ({ agent }: PublicUrls): string => `${agent}/demo/webhook`

/** The demo gets what a customer gets: keys, an endpoint and the public URLs. Undefined without its keys and where it is off. */
export async function openDemo(
  { config, urls, now, warn }: ServerContext,
  { storage: { store, directory, box } }: { storage: Storage },
): Promise<Demo | undefined> {
  const isOn = config.DEMO === 'on' || (config.DEMO === 'auto' && isLoopbackUrl(urls.agent))
  const keys = isOn ? await readDemoKeys(config.DATA_DIR) : undefined
  if (!keys) return undefined
  const demoUrl = `${urls.agent}/demo`
  const receiverUrl = demoReceiverUrl(urls)
  const endpointOf = (url: string) =>
    directory.byName(keys.domain)?.endpoints.find((endpoint) => endpoint.url === url)

  const deps: DemoDeps = {
    publicKey: keys.public_key,
    apiKey: keys.api_key,
    webhookSecret: () => endpointOf(receiverUrl)?.secrets.secret,
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
    warn,
  }
  return { deps, receiverUrl, url: () => directory.byName(keys.domain) && demoUrl }
}
