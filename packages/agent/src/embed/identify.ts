import type { CheckResult } from '../check.ts'
import { type AgentAddress, type AgentModule, load } from './load.ts'

export interface IdentifyOptions extends AgentAddress {
  /** Hash or pseudonym of the signed-in user; without it the visitor is anonymous. */
  userHid?: string
  /** A request ID of its own, for an action that needs one. Otherwise one in five minutes of a visit. */
  force?: boolean
}

const NOT_INITIALIZED: CheckResult = { status: 'not_initialized' }

/**
 * Loads the agent and begins an identification. Answers with the request ID before anything is collected;
 * whatever goes wrong is `not_initialized`. Never throws.
 *
 * @example
 * const { requestID } = await identify({ agentUrl, publicKey, force: true })
 */
export async function identify(options: IdentifyOptions): Promise<CheckResult> {
  try {
    const agent = await load(options)
    return agent ? await begin(agent, options) : NOT_INITIALIZED
  } catch {
    return NOT_INITIALIZED
  }
}

const begin = (agent: AgentModule, { userHid, force = false }: IdentifyOptions): Promise<CheckResult> =>
  new Promise((onInitialized) => {
    if (userHid === undefined) agent[force ? 'forceCheckAnonymous' : 'checkAnonymous']({ onInitialized })
    else agent[force ? 'forceCheckAuthenticatedUser' : 'checkAuthenticatedUser'](userHid, { onInitialized })
  })
