import { chromium } from 'playwright-core'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { fillInAsAssistant } from '../src/drive/assistant.ts'
import { MARKING_ARG, UNMARKED_ARG } from '../src/unmarked.ts'

export const assistantLaunched: Configuration = {
  id: 'assistant-launched',
  title: "An assistant's server: Playwright with its own profile, headful, flags off, `fill`",
  kind: 'automation',
  family: 'assistant',
  engine: 'chromium',
  packages: ['playwright-core'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const context = await chromium.launchPersistentContext(visit.profile, {
      executablePath: browserPath('chromium'),
      args: [...CHROMIUM_ARGS, UNMARKED_ARG],
      ignoreDefaultArgs: [MARKING_ARG],
      headless: false,
      viewport: null,
    })
    await fillInAsAssistant(context.pages()[0] ?? (await context.newPage()), visit)
    await context.close()
  },
}
