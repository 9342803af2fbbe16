import type { ReadingName, ReadingValues } from '@inkling/contract'
import { audio } from './audio.ts'
import { automation } from './automation.ts'
import { canvas } from './canvas.ts'
import { clientHints } from './client-hints.ts'
import { codecs } from './codecs.ts'
import { connection } from './connection.ts'
import { css } from './css.ts'
import { engine } from './engine.ts'
import { fonts } from './fonts.ts'
import { frame } from './frame.ts'
import { hardware } from './hardware.ts'
import { input } from './input.ts'
import { inspector } from './inspector.ts'
import { languages } from './languages.ts'
import { math } from './math.ts'
import { missingApis } from './missing-apis.ts'
import { permissions } from './permissions.ts'
import { platform } from './platform.ts'
import { plugins } from './plugins.ts'
import { preferences } from './preferences.ts'
import { screenSize } from './screen-size.ts'
import { storage } from './storage.ts'
import { tampering } from './tampering.ts'
import { timezone } from './timezone.ts'
import { userAgent } from './user-agent.ts'
import { vendor } from './vendor.ts'
import { webgl } from './webgl.ts'
import { windowGeometry } from './window-geometry.ts'

export type Sources = { [Name in ReadingName]: () => ReadingValues[Name] | Promise<ReadingValues[Name]> }

/** Those that take too long for the first snapshot; see LATE_SOURCES. */
export type LateName = 'worker' | 'iframe' | 'media_devices' | 'private_mode'

/**
 * In the order of starting. First what is there at once, so that a page left early still says the most
 * important; then what works on other threads while this one does the rest.
 */
export const SOURCES: Omit<Sources, LateName> = {
  // First, because a page that is left at once still says which browser it was.
  user_agent: userAgent,
  input,
  automation,
  platform,
  vendor,
  hardware,
  screen: screenSize,
  window: windowGeometry,
  frame,
  connection,
  timezone,
  languages,

  client_hints: clientHints,
  audio,
  storage,
  permissions,

  webgl,
  canvas,
  fonts,
  preferences,
  plugins,
  missing_apis: missingApis,
  inspector,
  tampering,
  engine,
  math,
  css,
  codecs,
}
