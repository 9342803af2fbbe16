/** What the server writes in front of the module. */
interface ServerConfig {
  ingestUrl: string
  /** Raw P-256 point, base64url. Without it bodies are sent as plain JSON. */
  serverKey?: string
  /** Whether the server takes a follow-up channel. */
  followUp?: boolean
}

export interface AgentConfig extends ServerConfig {
  publicKey: string
}

declare const __INKLING_CONFIG__: ServerConfig
declare const __AGENT_VERSION__: string

/**
 * The settings, or undefined where no check can run. Read at each check, because importing the module must do nothing.
 * The key comes from the module's own address, so that the module's bytes are the same for every page.
 */
export function readConfig(): AgentConfig | undefined {
  // Neither exists where the unbuilt source is imported, as under Node.
  if (typeof __INKLING_CONFIG__ === 'undefined' || typeof document === 'undefined') return undefined
  const publicKey = new URL(import.meta.url).searchParams.get('publicKey')
  return publicKey ? { ...__INKLING_CONFIG__, publicKey } : undefined
}

export const agentVersion = (): string =>
  typeof __AGENT_VERSION__ === 'undefined' ? 'unbuilt' : __AGENT_VERSION__
