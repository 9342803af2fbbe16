import type { Configuration } from '../src/configuration.ts'
import { chromium } from './chromium.ts'
import { chromiumAbroad } from './chromium-abroad.ts'
import { chromiumApp } from './chromium-app.ts'
import { chromiumDevtools } from './chromium-devtools.ts'
import { chromiumDevtoolsWindow } from './chromium-devtools-window.ts'
import { chromiumFormFiller } from './chromium-form-filler.ts'
import { chromiumFramed } from './chromium-framed.ts'
import { chromiumFullscreen } from './chromium-fullscreen.ts'
import { chromiumHighDensity } from './chromium-high-density.ts'
import { chromiumIncognito } from './chromium-incognito.ts'
import { chromiumKeyboardOnly } from './chromium-keyboard-only.ts'
import { chromiumKiosk } from './chromium-kiosk.ts'
import { chromiumNoWindowManager } from './chromium-no-window-manager.ts'
import { chromiumPasted } from './chromium-pasted.ts'
import { chromiumResized } from './chromium-resized.ts'
import { chromiumSlowCpu } from './chromium-slow-cpu.ts'
import { chromiumTaps } from './chromium-taps.ts'
import { chromiumVnc } from './chromium-vnc.ts'
import { chromiumZoomed } from './chromium-zoomed.ts'
import { firefox } from './firefox.ts'
import { firefoxAbroad } from './firefox-abroad.ts'
import { firefoxDevtools } from './firefox-devtools.ts'
import { firefoxHighDensity } from './firefox-high-density.ts'
import { firefoxKeyboardOnly } from './firefox-keyboard-only.ts'
import { firefoxNoWindowManager } from './firefox-no-window-manager.ts'
import { firefoxPrivate } from './firefox-private.ts'
import { firefoxResistFingerprinting } from './firefox-resist-fingerprinting.ts'
import { firefoxResized } from './firefox-resized.ts'
import { firefoxSlowCpu } from './firefox-slow-cpu.ts'
import { firefoxZoomed } from './firefox-zoomed.ts'
/** Only the imitation of a person uses these, so every flag is a false positive. */
export const CONTROLS: readonly Configuration[] = [
  chromium,
  chromiumIncognito,
  chromiumDevtools,
  chromiumDevtoolsWindow,
  chromiumZoomed,
  chromiumResized,
  chromiumAbroad,
  chromiumSlowCpu,
  chromiumHighDensity,
  chromiumFullscreen,
  chromiumKeyboardOnly,
  chromiumNoWindowManager,
  firefox,
  firefoxPrivate,
  firefoxDevtools,
  firefoxZoomed,
  firefoxResized,
  firefoxAbroad,
  firefoxSlowCpu,
  firefoxHighDensity,
  firefoxResistFingerprinting,
  firefoxKeyboardOnly,
  firefoxNoWindowManager,
  chromiumFramed,
  chromiumApp,
  chromiumKiosk,
  chromiumTaps,
  chromiumFormFiller,
  chromiumPasted,
  chromiumVnc,
]
