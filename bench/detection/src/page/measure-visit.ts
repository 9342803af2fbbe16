import { askPeers } from './ask-peers.ts'
import { pageFacts } from './page-facts.ts'
import { watchInput } from './watch-input.ts'

/**
 * Runs in the page of a visit. Calls Inkling first, the peers after its body was sent, and Inkling again
 * when the form is submitted, like a shop that wants a separate request ID for the action.
 */

interface Agent {
  forceCheckAnonymous(options: { onInitialized(result: { requestID?: string }): void }): void
}

interface Honeytokens {
  placeHoneytokens(form: HTMLFormElement): void
}

const SENT_TIMEOUT_MS = 5_000

const { visit = '', agent: agentUrl = '' } = document.documentElement.dataset
const note = (name: string, value: unknown): Promise<unknown> =>
  fetch(`/visits/${visit}/notes/${name}`, { method: 'POST', body: JSON.stringify(value) })

const check = (agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    agent.forceCheckAnonymous({
      onInitialized: ({ requestID }) =>
        requestID === undefined ? reject(new Error('the agent was not initialized')) : resolve(requestID),
    })
  })

/** Resolves when the body of a check was answered, or after a timeout. */
const sent = (requestId: string): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, SENT_TIMEOUT_MS)
    new PerformanceObserver((list) => {
      if (list.getEntries().some(({ name }) => name.includes(requestId))) resolve()
    }).observe({ type: 'resource', buffered: true })
  })

async function measure(): Promise<void> {
  const input = watchInput((pointer) => void note('pointer', pointer))
  const agent: Agent = await import(agentUrl)
  const form = document.querySelector<HTMLFormElement>('#signup')
  if ('honeytokens' in document.documentElement.dataset && form) {
    const honeytokens: Honeytokens = await import(new URL('/honeytokens.js', agentUrl).href)
    honeytokens.placeHoneytokens(form)
  }
  const requestId = await check(agent)
  await note('loaded', { requestId, facts: pageFacts() })
  await sent(requestId)
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    act(agent, input).catch(fail)
  })
  await note('measured', await askPeers())
}

async function act(agent: Agent, input: unknown): Promise<void> {
  const requestId = await check(agent)
  await note('acted', { requestId, input })
}

const fail = (error: unknown): void => void note('failed', { message: String(error) })

measure().catch(fail)
