// Written by `npm run docs` from the files of this folder and the contract's table of readings.
import type { Sources } from '../collect/source.ts'
import * as accessSources from './access.ts'
import * as automationSources from './automation.ts'
import * as clientHintsSources from './client-hints.ts'
import * as codecsSources from './codecs.ts'
import * as displaySources from './display.ts'
import * as engineSources from './engine.ts'
import * as honeytokensSources from './honeytokens.ts'
import * as inputSources from './input.ts'
import * as inputTracesSources from './input-traces.ts'
import * as inspectorSources from './inspector.ts'
import * as keyboardSources from './late/keyboard.ts'
import * as mediaDevicesSources from './late/media-devices.ts'
import * as privateModeSources from './late/private-mode.ts'
import * as realmsSources from './late/realms.ts'
import * as workerInspectorSources from './late/worker-inspector.ts'
import * as localeSources from './locale.ts'
import * as navigatorSources from './navigator.ts'
import * as rasterSources from './raster.ts'
import * as roundingSources from './rounding.ts'
import * as tamperingSources from './tampering.ts'
import * as typefacesSources from './typefaces.ts'
import * as waveformSources from './waveform.ts'
import * as webglSources from './webgl.ts'

/** Read for the snapshot, in this order. */
export const SOURCES = {
  user_agent: navigatorSources.userAgent,
  input: inputSources.input,
  input_traces: inputTracesSources.inputTraces,
  honeytokens: honeytokensSources.honeytokens,
  automation: automationSources.automation,
  platform: navigatorSources.platform,
  vendor: navigatorSources.vendor,
  hardware: navigatorSources.hardware,
  screen: displaySources.screen,
  window: displaySources.window,
  frame: displaySources.frame,
  connection: navigatorSources.connection,
  timezone: localeSources.timezone,
  languages: localeSources.languages,
  client_hints: clientHintsSources.clientHints,
  waveform: waveformSources.waveform,
  storage: accessSources.storage,
  permissions: accessSources.permissions,
  webgl: webglSources.webgl,
  raster: rasterSources.raster,
  typefaces: typefacesSources.typefaces,
  preferences: displaySources.preferences,
  plugins: navigatorSources.plugins,
  missing_apis: engineSources.missingApis,
  inspector: inspectorSources.inspector,
  tampering: tamperingSources.tampering,
  engine: engineSources.engine,
  rounding: roundingSources.rounding,
  codecs: codecsSources.codecs,
} satisfies Partial<Sources>

/** Read after the snapshot was sent, and reported over the follow-up channel. */
export const LATE_SOURCES = {
  worker: realmsSources.worker,
  iframe: realmsSources.iframe,
  worker_inspector: workerInspectorSources.workerInspector,
  keyboard: keyboardSources.keyboard,
  media_devices: mediaDevicesSources.mediaDevices,
  private_mode: privateModeSources.privateMode,
} satisfies Partial<Sources>
