/** What the server puts in front of the module: where to send to. */
interface ServerConfig {
  ingestUrl: string
  /** Raw P-256 point, base64url; without it bodies go as plain JSON. */
  serverKey?: string
  /** Whether the server runs checks that report later. */
  followUp?: boolean
}

export interface AgentConfig extends ServerConfig {
  publicKey: string
}

declare const __INKLING_CONFIG__: ServerConfig
declare const __AGENT_VERSION__: string

/**
 * Read at each check, as importing the module must do nothing. Undefined where no check can run. The key
 * stands in the module's own address, so that its bytes are the same for every page.
 */
export function readConfig(): AgentConfig | undefined {
  // Both names are free: neither exists when the source is imported as it is, as under Node.
  if (typeof __INKLING_CONFIG__ === 'undefined' || typeof document === 'undefined') return undefined
  const publicKey = new URL(import.meta.url).searchParams.get('publicKey')
  return publicKey ? { ...__INKLING_CONFIG__, publicKey } : undefined
}

export const agentVersion = (): string =>
  typeof __AGENT_VERSION__ === 'undefined' ? 'unbuilt' : __AGENT_VERSION__
