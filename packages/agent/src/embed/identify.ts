import type { CheckResult } from '../check.ts'

export type AgentModule = typeof import('../index.ts')

export interface AgentAddress {
  /** Where the server serves the agent: its `AGENT_URL`, without `/agent.js`. */
  agentUrl: string
  /** The domain's public key. */
  publicKey: string
  /** Attempts after a failed first one, after 250 ms, 500 ms, 1 s and so on; at most five. Default 2. */
  retries?: number
}

export interface IdentifyOptions extends AgentAddress {
  /** Hash or pseudonym of the signed-in user. Without it the visitor is anonymous. */
  userHid?: string
  /** Makes a request ID for this call, as an action needs. Otherwise at most one per five minutes of a visit. */
  force?: boolean
}

const NOT_INITIALIZED: CheckResult = { status: 'not_initialized' }
const RETRIES = 2
const RETRIES_MAX = 5
const FIRST_PAUSE_MS = 250
/** Time limit of one attempt, for a server that accepts connections and does not answer. */
const ATTEMPT_LIMIT_MS = 10_000

/**
 * Loads the agent and starts an identification. Resolves with the request ID before anything is collected, or with
 * `not_initialized` if anything went wrong. Never rejects.
 *
 * @example
 * const { requestID } = await identify({ agentUrl, publicKey, force: true })
 */
export async function identify(options: IdentifyOptions): Promise<CheckResult> {
  try {
    const agent = await load(options)
    return agent ? await start(agent, options) : NOT_INITIALIZED
  } catch {
    return NOT_INITIALIZED
  }
}

const start = (agent: AgentModule, { userHid, force = false }: IdentifyOptions): Promise<CheckResult> =>
  new Promise((onInitialized) => {
    if (userHid === undefined) agent[force ? 'forceCheckAnonymous' : 'checkAnonymous']({ onInitialized })
    else agent[force ? 'forceCheckAuthenticatedUser' : 'checkAuthenticatedUser'](userHid, { onInitialized })
  })

/**
 * The agent's module, or undefined where it cannot be loaded: the server is down, the request is blocked, or this is
 * not a browser. Never rejects.
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
    const module = await within(ATTEMPT_LIMIT_MS, importFrom(address, attempt > 0), undefined)
    if (module) return module
  }
  return undefined
}

/**
 * A page remembers, under its address, that a module failed to load
 * (https://html.spec.whatwg.org/multipage/webappapis.html#module-map). So each retry takes an address that the page
 * cannot have used, whatever earlier calls tried: the time is in it. The server passes it on to the module behind
 * `agent.js`, which may be the one that failed.
 */
async function importFrom({ agentUrl, publicKey }: AgentAddress, isRetry: boolean): Promise<AgentModule> {
  const base = `${withoutSlash(agentUrl)}/agent.js?publicKey=${encodeURIComponent(publicKey)}`
  const url = isRetry ? `${base}&fresh=${Date.now().toString(36)}` : base
  return import(/* @vite-ignore */ /* webpackIgnore: true */ url)
}

export const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The promise's value, or `late` after the time limit or a rejection. */
export function within<Value, Late>(
  limitMs: number,
  promise: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), limitMs)
    promise.then(resolve, () => resolve(late)).finally(() => clearTimeout(timer))
  })
}
