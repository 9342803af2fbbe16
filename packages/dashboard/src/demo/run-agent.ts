/** The exports of the agent that the demo uses. */
export interface Agent {
  forceCheckAnonymous(options: AgentOptions): void
  forceCheckAuthenticatedUser(userHid: string, options: AgentOptions): void
}

type AgentAnswer = { status: 'initialized'; requestID: string } | { status: 'not_initialized' }

interface AgentOptions {
  onInitialized: (answer: AgentAnswer) => void
}

/** The callback does not depend on the network, so after this time it will not come any more. */
const CALLBACK_TIMEOUT_MS = 8_000

let isRetry = false

/** Undefined when the script is blocked or its host is down. */
export async function loadAgent(agentUrl: string, publicKey: string): Promise<Agent | undefined> {
  // Browsers cache failed imports by URL, so a retry needs another URL.
  const url = agentScript(agentUrl, publicKey) + (isRetry ? `&fresh=${Date.now().toString(36)}` : '')
  isRetry = true
  try {
    return await import(url)
  } catch {
    return undefined
  }
}

const agentScript = (agentUrl: string, publicKey: string): string =>
  `${agentUrl}/agent.js?publicKey=${publicKey}`

/** The new request ID; undefined when the agent could not start. An empty account is anonymous. */
export function requestIdFrom(agent: Agent, account: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options: AgentOptions = {
      onInitialized: (answer) => resolve(answer.status === 'initialized' ? answer.requestID : undefined),
    }
    if (account) agent.forceCheckAuthenticatedUser(account, options)
    else agent.forceCheckAnonymous(options)
    setTimeout(resolve, CALLBACK_TIMEOUT_MS)
  })
}
