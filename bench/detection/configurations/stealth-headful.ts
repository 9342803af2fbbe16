import type { Configuration } from '../src/configuration.ts'
import { launchStealth } from '../src/drive/launch-stealth.ts'
import { drivePuppeteer } from '../src/drive/puppeteer.ts'

export const stealthHeadful: Configuration = {
  id: 'stealth-headful',
  title: 'puppeteer-extra-plugin-stealth headful',
  kind: 'automation',
  family: 'patched',
  inMatrix: true,
  engine: 'chromium',
  packages: ['puppeteer-core', 'puppeteer-extra', 'puppeteer-extra-plugin-stealth'],
  display: 'bare',
  spoofs: true,
  isPrivate: false,
  acts: true,
  run: async (visit) => drivePuppeteer(await launchStealth({ headless: false }), visit),
}
