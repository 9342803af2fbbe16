import type { Configuration } from '../src/configuration.ts'
import { assistantConnected } from './assistant-connected.ts'
import { assistantLaunched } from './assistant-launched.ts'
import { chromiumDebugPort } from './chromium-debug-port.ts'
import { curvesConnected } from './curves-connected.ts'
import { devicesRpa } from './devices-rpa.ts'
import { extensionDebugger } from './extension-debugger.ts'
import { extensionScript } from './extension-script.ts'
import { fingerprintInjectorHeadful } from './fingerprint-injector-headful.ts'
import { fingerprintInjectorHeadless } from './fingerprint-injector-headless.ts'
import { firefoxBidiDesktop } from './firefox-bidi-desktop.ts'
import { ghostCursor } from './ghost-cursor.ts'
import { headlessClaims } from './headless-claims.ts'
import { patchrightHeadful } from './patchright-headful.ts'
import { patchrightHeadless } from './patchright-headless.ts'
import { patchrightRecommended } from './patchright-recommended.ts'
import { playwrightConnected } from './playwright-connected.ts'
import { playwrightFirefox } from './playwright-firefox.ts'
import { playwrightHeadful } from './playwright-headful.ts'
import { playwrightHeadless } from './playwright-headless.ts'
import { playwrightPhone } from './playwright-phone.ts'
import { puppeteerBorrowedUserAgent } from './puppeteer-borrowed-user-agent.ts'
import { puppeteerConnected } from './puppeteer-connected.ts'
import { puppeteerFirefox } from './puppeteer-firefox.ts'
import { puppeteerHeadful } from './puppeteer-headful.ts'
import { puppeteerHeadless } from './puppeteer-headless.ts'
import { puppeteerPatient } from './puppeteer-patient.ts'
import { puppeteerUnmarked } from './puppeteer-unmarked.ts'
import { rawCdp } from './raw-cdp.ts'
import { rawCdpPatient } from './raw-cdp-patient.ts'
import { rebrowserPlaywrightHeadful } from './rebrowser-playwright-headful.ts'
import { rebrowserPuppeteerHeadful } from './rebrowser-puppeteer-headful.ts'
import { seleniumHeadless } from './selenium-headless.ts'
import { seleniumPatchedDriver } from './selenium-patched-driver.ts'
import { seleniumUnmarked } from './selenium-unmarked.ts'
import { socketCareful } from './socket-careful.ts'
import { socketInserts } from './socket-inserts.ts'
import { stealthHeadful } from './stealth-headful.ts'
import { stealthHeadless } from './stealth-headless.ts'
/** The 18 of the reference matrix, followed by others. */
export const CONFIGURATIONS: readonly Configuration[] = [
  chromiumDebugPort,
  puppeteerHeadless,
  puppeteerHeadful,
  puppeteerUnmarked,
  ghostCursor,
  stealthHeadless,
  stealthHeadful,
  fingerprintInjectorHeadful,
  playwrightHeadless,
  playwrightHeadful,
  seleniumHeadless,
  seleniumUnmarked,
  rebrowserPuppeteerHeadful,
  rebrowserPlaywrightHeadful,
  patchrightHeadless,
  patchrightHeadful,
  rawCdp,
  puppeteerFirefox,
  puppeteerBorrowedUserAgent,
  puppeteerPatient,
  fingerprintInjectorHeadless,
  playwrightPhone,
  playwrightFirefox,
  seleniumPatchedDriver,
  patchrightRecommended,
  rawCdpPatient,
  socketInserts,
  socketCareful,
  firefoxBidiDesktop,
  curvesConnected,
  puppeteerConnected,
  playwrightConnected,
  assistantLaunched,
  assistantConnected,
  extensionScript,
  extensionDebugger,
  headlessClaims,
  devicesRpa,
]
