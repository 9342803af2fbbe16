import puppeteer from 'puppeteer-core'
import { addExtra, type VanillaPuppeteer } from 'puppeteer-extra'
import stealth from 'puppeteer-extra-plugin-stealth'
import { browserPath, CHROMIUM_ARGS } from '../browsers.ts'
import type { PuppeteerBrowser } from './puppeteer.ts'

/** Puppeteer with all evasions of the plugin, as its documentation shows. */
export function launchStealth(options: { headless: boolean }): Promise<PuppeteerBrowser> {
  // The types are from an older Puppeteer; the functions it calls still exist.
  const extra = addExtra(puppeteer as unknown as VanillaPuppeteer)
  extra.use(stealth())
  const launched: Promise<unknown> = extra.launch({
    executablePath: browserPath('chromium'),
    args: CHROMIUM_ARGS,
    ...options,
  })
  return launched as Promise<PuppeteerBrowser>
}
