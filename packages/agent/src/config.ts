/** What the server puts in front of the module: who asks, and where to send to. */
export interface AgentConfig {
  /** Empty when the script was asked for without a usable key. */
  publicKey: string
  ingestUrl: string
  /** Raw P-256 point, base64url; without it bodies go as plain JSON. */
  serverKey?: string
}

declare const __INKLING_CONFIG__: AgentConfig
declare const __AGENT_VERSION__: string

/** Read at each check, as importing the module must do nothing. Undefined where no check can run. */
export function readConfig(): AgentConfig | undefined {
  // Both names are free: neither exists when the source is imported as it is, as under Node.
  if (typeof __INKLING_CONFIG__ === 'undefined' || typeof document === 'undefined') return undefined
  return __INKLING_CONFIG__.publicKey && __INKLING_CONFIG__.ingestUrl ? __INKLING_CONFIG__ : undefined
}

export const agentVersion = (): string =>
  typeof __AGENT_VERSION__ === 'undefined' ? 'unbuilt' : __AGENT_VERSION__
