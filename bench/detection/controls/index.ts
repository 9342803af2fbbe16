import type { Configuration } from '../src/configuration.ts'
import { chromium } from './chromium.ts'
import { chromiumAbroad } from './chromium-abroad.ts'
import { chromiumAgentSwitched } from './chromium-agent-switched.ts'
import { chromiumApp } from './chromium-app.ts'
import { chromiumBugRecorder } from './chromium-bug-recorder.ts'
import { chromiumCanvasNoise } from './chromium-canvas-noise.ts'
import { chromiumCoreJs } from './chromium-core-js.ts'
import { chromiumDarkPages } from './chromium-dark-pages.ts'
import { chromiumDevtools } from './chromium-devtools.ts'
import { chromiumDevtoolsPhone } from './chromium-devtools-phone.ts'
import { chromiumDevtoolsWindow } from './chromium-devtools-window.ts'
import { chromiumFormFiller } from './chromium-form-filler.ts'
import { chromiumFramed } from './chromium-framed.ts'
import { chromiumFullscreen } from './chromium-fullscreen.ts'
import { chromiumGuest } from './chromium-guest.ts'
import { chromiumHighDensity } from './chromium-high-density.ts'
import { chromiumIncognito } from './chromium-incognito.ts'
import { chromiumKeyboardOnly } from './chromium-keyboard-only.ts'
import { chromiumKiosk } from './chromium-kiosk.ts'
import { chromiumLockedDown } from './chromium-locked-down.ts'
import { chromiumLowMemory } from './chromium-low-memory.ts'
import { chromiumMonitor } from './chromium-monitor.ts'
import { chromiumNoGpu } from './chromium-no-gpu.ts'
import { chromiumNoWindowManager } from './chromium-no-window-manager.ts'
import { chromiumOldProfile } from './chromium-old-profile.ts'
import { chromiumPasted } from './chromium-pasted.ts'
import { chromiumResized } from './chromium-resized.ts'
import { chromiumScreenReader } from './chromium-screen-reader.ts'
import { chromiumSlowCpu } from './chromium-slow-cpu.ts'
import { chromiumTaps } from './chromium-taps.ts'
import { chromiumTextExpander } from './chromium-text-expander.ts'
import { chromiumTouchScreen } from './chromium-touch-screen.ts'
import { chromiumVnc } from './chromium-vnc.ts'
import { chromiumWebrtcBlocked } from './chromium-webrtc-blocked.ts'
import { chromiumZone } from './chromium-zone.ts'
import { chromiumZoomed } from './chromium-zoomed.ts'
import { firefox } from './firefox.ts'
import { firefoxAbroad } from './firefox-abroad.ts'
import { firefoxCoarseClock } from './firefox-coarse-clock.ts'
import { firefoxDevtools } from './firefox-devtools.ts'
import { firefoxFramed } from './firefox-framed.ts'
import { firefoxHardened } from './firefox-hardened.ts'
import { firefoxHighDensity } from './firefox-high-density.ts'
import { firefoxKeyboardOnly } from './firefox-keyboard-only.ts'
import { firefoxKiosk } from './firefox-kiosk.ts'
import { firefoxNoWindowManager } from './firefox-no-window-manager.ts'
import { firefoxPasted } from './firefox-pasted.ts'
import { firefoxPrivate } from './firefox-private.ts'
import { firefoxResistFingerprinting } from './firefox-resist-fingerprinting.ts'
import { firefoxResized } from './firefox-resized.ts'
import { firefoxSlowCpu } from './firefox-slow-cpu.ts'
import { firefoxStrict } from './firefox-strict.ts'
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
  chromiumBugRecorder,
  chromiumCanvasNoise,
  chromiumAgentSwitched,
  chromiumWebrtcBlocked,
  chromiumDarkPages,
  chromiumNoGpu,
  chromiumLockedDown,
  chromiumTouchScreen,
  chromiumLowMemory,
  chromiumScreenReader,
  chromiumGuest,
  chromiumDevtoolsPhone,
  chromiumTextExpander,
  chromiumOldProfile,
  chromiumZone,
  chromiumCoreJs,
  chromiumMonitor,
  firefoxStrict,
  firefoxHardened,
  firefoxCoarseClock,
  firefoxKiosk,
  firefoxFramed,
  firefoxPasted,
]
