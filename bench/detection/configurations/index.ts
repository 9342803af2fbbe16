import type { Configuration } from '../src/configuration.ts'
import { agentBrowser } from './agent-browser.ts'
import { assistantConnected } from './assistant-connected.ts'
import { assistantLaunched } from './assistant-launched.ts'
import { chromiumDebugPort } from './chromium-debug-port.ts'
import { claimsCareful } from './claims-careful.ts'
import { claimsPuppeteer } from './claims-puppeteer.ts'
import { connectedPatchright } from './connected-patchright.ts'
import { connectedRebrowser } from './connected-rebrowser.ts'
import { connectedSelenium } from './connected-selenium.ts'
import { curvesConnected } from './curves-connected.ts'
import { curvesPlaywright } from './curves-playwright.ts'
import { curvesSelenium } from './curves-selenium.ts'
import { devicesAccessibility } from './devices-accessibility.ts'
import { devicesRpa } from './devices-rpa.ts'
import { devtoolsMcp } from './devtools-mcp.ts'
import { extensionDebugger } from './extension-debugger.ts'
import { extensionDebuggerCareful } from './extension-debugger-careful.ts'
import { extensionScript } from './extension-script.ts'
import { extensionTypist } from './extension-typist.ts'
import { fingerprintInjectorHeadful } from './fingerprint-injector-headful.ts'
import { fingerprintInjectorHeadless } from './fingerprint-injector-headless.ts'
import { firefoxBidiDesktop } from './firefox-bidi-desktop.ts'
import { firefoxBidiHidden } from './firefox-bidi-hidden.ts'
import { ghostCursor } from './ghost-cursor.ts'
import { headlessClaims } from './headless-claims.ts'
import { patchrightHeadful } from './patchright-headful.ts'
import { patchrightHeadless } from './patchright-headless.ts'
import { patchrightHeadlessClaims } from './patchright-headless-claims.ts'
import { patchrightRecommended } from './patchright-recommended.ts'
import { playwrightConnected } from './playwright-connected.ts'
import { playwrightFirefox } from './playwright-firefox.ts'
import { playwrightHeadful } from './playwright-headful.ts'
import { playwrightHeadless } from './playwright-headless.ts'
import { playwrightHeadlessClaims } from './playwright-headless-claims.ts'
import { playwrightMcp } from './playwright-mcp.ts'
import { playwrightMcpConnected } from './playwright-mcp-connected.ts'
import { playwrightOwnProfile } from './playwright-own-profile.ts'
import { playwrightPhone } from './playwright-phone.ts'
import { puppeteerBidiChromium } from './puppeteer-bidi-chromium.ts'
import { puppeteerBorrowedUserAgent } from './puppeteer-borrowed-user-agent.ts'
import { puppeteerConnected } from './puppeteer-connected.ts'
import { puppeteerFirefox } from './puppeteer-firefox.ts'
import { puppeteerHeadful } from './puppeteer-headful.ts'
import { puppeteerHeadless } from './puppeteer-headless.ts'
import { puppeteerHeadlessShell } from './puppeteer-headless-shell.ts'
import { puppeteerPatient } from './puppeteer-patient.ts'
import { puppeteerPipe } from './puppeteer-pipe.ts'
import { puppeteerRealBrowser } from './puppeteer-real-browser.ts'
import { puppeteerUnmarked } from './puppeteer-unmarked.ts'
import { rawCdp } from './raw-cdp.ts'
import { rawCdpPatient } from './raw-cdp-patient.ts'
import { rebrowserPlaywrightHeadful } from './rebrowser-playwright-headful.ts'
import { rebrowserPuppeteerDesktop } from './rebrowser-puppeteer-desktop.ts'
import { rebrowserPuppeteerHeadful } from './rebrowser-puppeteer-headful.ts'
import { seleniumBidi } from './selenium-bidi.ts'
import { seleniumEmptiedDriver } from './selenium-emptied-driver.ts'
import { seleniumHeadless } from './selenium-headless.ts'
import { seleniumPatchedDriver } from './selenium-patched-driver.ts'
import { seleniumUnmarked } from './selenium-unmarked.ts'
import { socketCareful } from './socket-careful.ts'
import { socketHeadlessWindows } from './socket-headless-windows.ts'
import { socketInserts } from './socket-inserts.ts'
import { socketKeyboard } from './socket-keyboard.ts'
import { socketRemoteInterface } from './socket-remote-interface.ts'
import { socketScript } from './socket-script.ts'
import { stealthHeadful } from './stealth-headful.ts'
import { stealthHeadless } from './stealth-headless.ts'
import { taikoHeadful } from './taiko-headful.ts'

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
  devicesAccessibility,
  puppeteerPipe,
  puppeteerHeadlessShell,
  playwrightOwnProfile,
  playwrightHeadlessClaims,
  puppeteerBidiChromium,
  seleniumEmptiedDriver,
  seleniumBidi,
  firefoxBidiHidden,
  rebrowserPuppeteerDesktop,
  puppeteerRealBrowser,
  patchrightHeadlessClaims,
  socketRemoteInterface,
  socketKeyboard,
  socketScript,
  socketHeadlessWindows,
  taikoHeadful,
  agentBrowser,
  playwrightMcp,
  playwrightMcpConnected,
  devtoolsMcp,
  connectedSelenium,
  connectedPatchright,
  connectedRebrowser,
  curvesPlaywright,
  curvesSelenium,
  extensionTypist,
  extensionDebuggerCareful,
  claimsPuppeteer,
  claimsCareful,
]
