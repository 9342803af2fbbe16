import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { AgentSite } from './agent-site.ts'

export interface Answer {
  status: string
  requestID?: string
}

export interface AgentTab {
  page: Page
  /** What the page's console said and what was thrown in it, rejections included. */
  complaints: string[]
  /** Calls the module, for example `call('checkAuthenticatedUser', 'u1')`; what the callback got. */
  call(name: string, ...args: unknown[]): Promise<Answer>
  /** A forced check of nobody in particular, and the body that came of it. */
  identify(): Promise<Record<string, unknown>>
}

/** Opens a tab with a page of the site. */
export async function openTab(
  context: BrowserContext,
  site: AgentSite,
  { url = `${site.page}/`, script = site.script }: OpenTabOptions = {},
): Promise<AgentTab> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The end of a group, by which the inspector source looks, is nothing that anybody sees.
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
