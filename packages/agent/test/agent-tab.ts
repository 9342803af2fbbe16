import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { AgentSite } from './agent-site.ts'
import { openWindow } from './visitors.ts'

export interface Answer {
  status: string
  requestID?: string
}

export interface AgentTab {
  page: Page
  /** Console messages, uncaught errors and unhandled rejections of the page. */
  complaints: string[]
  /** Calls a function of the module and resolves with what the callback got: `call('checkAuthenticatedUser', 'u1')`. */
  call(name: string, ...args: unknown[]): Promise<Answer>
  /** Makes a forced anonymous check and resolves with its body. */
  identify(): Promise<Record<string, unknown>>
}

/** Opens a tab with a page of the site. */
export async function openTab(
  context: BrowserContext,
  site: AgentSite,
  { url = `${site.page}/`, script = site.script }: OpenTabOptions = {},
): Promise<AgentTab> {
  const page = await openWindow(context)
  const complaints: string[] = []
  page.on('console', (message) => {
    // The inspector source ends a console group, which prints nothing.
    if (message.type() !== 'endGroup') complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  const call = (name: string, ...args: unknown[]) => callAgent(page, script, name, ...args)
  return {
    page,
    complaints,
    call,
    async identify() {
      const { requestID = '' } = await call('forceCheckAnonymous')
      return site.body(requestID)
    },
  }
}

interface OpenTabOptions {
  url?: string
  script?: string
}

export const callAgent = (
  frame: Page | Frame,
  script: string,
  name: string,
  ...args: unknown[]
): Promise<Answer> => {
  const list = args.map((argument) => `${literal(argument)}, `).join('')
  return frame.evaluate<Answer>(`import('${script}').then((agent) =>
    new Promise((onInitialized) => agent.${name}(${list}{ onInitialized })))`)
}

const literal = (value: unknown): string => (value === undefined ? 'undefined' : JSON.stringify(value))
