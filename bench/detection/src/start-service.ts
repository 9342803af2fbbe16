import { addDomain, addWebhook, type DomainKeys, startInkling } from '../../src/inkling/start-inkling.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { scratchFolder } from '../../src/lib/scratch.ts'

export interface Service {
  port: number
  keys: DomainKeys
  agentUrl: string
  stop(): Promise<void>
}

/** The domain of pages on this machine. */
const DOMAIN = 'localhost'

/**
 * A real Inkling with an empty database and one domain. The network check runs on its own port, as in
 * production; feeds are off, because a benchmark downloads nothing. Both can be set in the environment,
 * which the server inherits.
 */
export async function startService(webhookUrl?: string): Promise<Service> {
  process.env.FEEDS ??= 'off'
  process.env.TURN_PORT ??= String(await freePort())
  const place = { dataDir: scratchFolder() }
  const keys = await addDomain(place, DOMAIN)
  if (webhookUrl !== undefined) await addWebhook(place, DOMAIN, webhookUrl)
  const { port, stop } = await startInkling(place)
  return { port, keys, stop, agentUrl: `http://localhost:${port}/agent.js?publicKey=${keys.public_key}` }
}
