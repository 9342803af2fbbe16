import type { Configuration } from '../src/configuration.ts'
import { launchStealth } from '../src/drive/launch-stealth.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'

export const stealthHeadless: Configuration = {
  id: 'stealth-headless',
  title: 'puppeteer-extra-plugin-stealth headless',
  kind: 'automation',
  family: 'patched',
  inMatrix: true,
  engine: 'chromium',
  packages: ['puppeteer-core', 'puppeteer-extra', 'puppeteer-extra-plugin-stealth'],
  display: 'bare',
  spoofs: true,
  isPrivate: false,
  acts: true,
  run: async (visit) => drivePuppeteer(await launchStealth({ headless: true }), visit),
}
