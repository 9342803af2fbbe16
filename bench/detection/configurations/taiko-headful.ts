import { click, closeBrowser, goto, into, openBrowser, textBox, write } from 'taiko'
import { browserPath, CHROMIUM_ARGS } from '../src/browsers.ts'
import type { Configuration } from '../src/configuration.ts'
import { UNMARKED_ARG } from '../src/unmarked.ts'

export const taikoHeadful: Configuration = {
  id: 'taiko-headful',
  title: 'taiko, headful on a desktop, flags off',
  kind: 'automation',
  family: 'frameworks',
  engine: 'chromium',
  packages: ['taiko'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  async run(visit) {
    process.env.TAIKO_BROWSER_PATH = browserPath('chromium')
    await openBrowser({ headless: false, args: [...CHROMIUM_ARGS, UNMARKED_ARG] })
    await goto(visit.url)
    await visit.measured()
    await write('Ada Lovelace', into(textBox('Name')))
    await write('ada@example.org', into(textBox('Email')))
    await click('Create account', { waitForNavigation: false })
    await visit.final()
    await closeBrowser()
  },
}
