import { chromium } from 'playwright-core'
import type { Configuration } from '../src/configuration.ts'
import { fillInAsAssistant } from '../src/drive/assistant.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'

export const assistantConnected: Configuration = {
  id: 'assistant-connected',
  title: "An assistant's server that connects to the browser of its user, `fill`",
  kind: 'automation',
  family: 'assistant',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const browser = await chromium.connectOverCDP(socketUrl)
      const [context] = browser.contexts()
      await fillInAsAssistant(context?.pages()[0] ?? (await browser.newPage()), visit)
    }),
}
