import { within } from './within.ts'

export type AgentModule = typeof import('../index.ts')

export interface AgentAddress {
  /** Where the server gives out the agent: its `AGENT_URL`, without `/agent.js`. */
  agentUrl: string
  /** The domain's public key. */
  publicKey: string
  /** Attempts after a failed first one, after 250 ms, 500 ms, 1 s and so on; five at the most. Default 2. */
  retries?: number
}

const RETRIES = 2
const RETRIES_MAX = 5
const FIRST_PAUSE_MS = 250
/** How long one attempt may take: a service that accepts and stays silent must not be waited for. */
const ATTEMPT_LIMIT_MS = 10_000

/**
 * The agent's module, or undefined where it cannot be loaded: away, blocked, or no browser. Never throws.
 *
 * @example
 * const agent = await load({ agentUrl: 'https://inkling.shop.example', publicKey: '…' })
 * agent?.checkAnonymous()
 */
export async function load(address: AgentAddress): Promise<AgentModule | undefined> {
  if (typeof document === 'undefined') return undefined
  const retries = Math.min(Math.max(address.retries ?? RETRIES, 0), RETRIES_MAX)
  for (let attempt = 0; attempt <= retries; attempt++) {
    if (attempt > 0) await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1))
    const module = await within(ATTEMPT_LIMIT_MS, importFrom(address, attempt), undefined)
    if (module) return module
  }
  return undefined
}

/** Browsers remember under its address that a module failed, so a second attempt takes another address. */
async function importFrom({ agentUrl, publicKey }: AgentAddress, attempt: number): Promise<AgentModule> {
  const base = `${agentUrl.replace(/\/+$/, '')}/agent.js?publicKey=${encodeURIComponent(publicKey)}`
  const url = attempt === 0 ? base : `${base}&retry=${attempt}`
  return import(/* @vite-ignore */ /* webpackIgnore: true */ url)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
