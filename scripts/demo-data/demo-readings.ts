import type { ReadingName, ReadingValues, ReportedReadings } from '@inkling/contract'
import { digest } from '../../bench/identity/population/chance.ts'
import type { BrowserName, VisitState } from '../../bench/identity/population/device.ts'
import { readingsOf } from '../../bench/identity/population/readings-of.ts'
import { FEATURE_VERSIONS } from '../../packages/server/src/score/tampering/engine-versions.ts'
import type { PlannedVisit } from './planned-visit.ts'

type Given = { [Name in ReadingName]?: ReadingValues[Name] }

/**
 * What the agent would report for a visit: the readings of the population, with the values that signals
 * check.
 */
export function demoReadings(visit: PlannedVisit): ReportedReadings {
  const { state, actor, requestId } = visit
  const given: Given = {
    engine: engineOf(state),
    frame: { nested: false, cross_origin: false },
    window: windowOf(state),
    input: NO_INPUT,
    missing_apis: [],
    codecs: ['audio/mpeg', 'video/mp4; codecs="avc1.42E01E"'],
    storage: { cookies: true, local_storage: true, session_storage: true, indexed_db: true },
    inspector: { attached: false },
    tampering: [],
    worker: workerOf(state),
    ...(state.noise && noiseOf(requestId)),
    ...privateMode(state, actor === 'incognito' || state.hidden),
    ...(actor === 'automation' && AUTOMATED),
    ...(actor === 'antidetect' && antidetect(state)),
    ...(actor === 'mover' && { timezone: { name: 'Asia/Tokyo', offset_minutes: 540 } }),
  }
  const wire = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value }]))
  return { ...UNREAD, ...readingsOf(state), ...wire }
}

/** The agent names every reading. */
const UNREAD: ReportedReadings = {
  connection: { error: 'unsupported' },
  permissions: { error: 'unsupported' },
  plugins: { error: 'unsupported' },
}

const NO_INPUT: ReadingValues['input'] = {
  moves: 0,
  moves_before_click: null,
  clicks: 0,
  unfocused: 0,
  centred: 0,
  hold_ms: null,
  keys: 0,
  key_gap_ms: null,
}

/** Tabs and address bar of a desktop's window. */
const BARS_PX = 95

/** Maximised on a desktop; a phone's page fills its screen. */
function windowOf(state: VisitState): ReadingValues['window'] {
  const { screen } = readingsOf(state)
  const { avail_width: width, avail_height: height } =
    screen && 'value' in screen ? screen.value : { avail_width: 1920, avail_height: 1040 }
  return {
    inner_width: width,
    inner_height: height - BARS_PX,
    outer_width: width,
    outer_height: height,
    screen_x: 0,
    screen_y: 0,
  }
}

const ENGINES = { Firefox: 1, Safari: 2 } as const

/**
 * The features of the version according to the published table, so that no visit seems to claim another
 * version.
 */
function engineOf({ software: { browser, major } }: VisitState): ReadingValues['engine'] {
  const index = browser === 'Firefox' || browser === 'Safari' ? ENGINES[browser] : 0
  const features = Object.entries(FEATURE_VERSIONS)
    .filter(([, versions]) => (versions[index] ?? 0) > 0 && (versions[index] ?? 0) <= major)
    .map(([name]) => name)
  return { features: features.join(' '), eval_length: index === 0 ? 33 : 37, error_style: String(index) }
}

/** A worker reports the same as the page. */
function workerOf(state: VisitState): ReadingValues['worker'] {
  const page = readingsOf(state)
  const { user_agent, platform, languages, hardware, timezone, webgl } = page
  const of = <Value, Found>(
    reading: { value: Value } | { error: unknown } | undefined,
    read: (value: Value) => Found,
    none: Found,
  ): Found => (reading && 'value' in reading ? read(reading.value) : none)
  return {
    user_agent: of(user_agent, (text) => text, ''),
    platform: of(platform, (text) => text, ''),
    languages: of(languages, (value) => value.languages, []),
    cores: of(hardware, (value) => value.cores, null),
    memory_gb: of(hardware, (value) => value.memory_gb, null),
    timezone: of(timezone, (value) => value.name, ''),
    webgl_renderer: of(webgl, (value) => value.unmasked_renderer, null),
  }
}

/** A drawing with noise differs each time, but is the same for the same seed. */
function noiseOf(requestId: string): Given {
  return {
    raster: { glyphs: digest(`glyphs ${requestId}`), shapes: digest(`shapes ${requestId}`), stable: false },
    waveform: {
      synthesis: digest(`synthesis ${requestId}`),
      resampling: digest(`resampling ${requestId}`),
      stable: false,
    },
  }
}

const REFUSALS: { [Browser in BrowserName]?: string } = { Firefox: 'SecurityError', Safari: 'UnknownError' }

const IN_MEMORY = { write_ms: 0.4, flush_ratio: 1.02 }
const ON_DISK = { write_ms: 0.01, flush_ratio: 24 }

/** Storage readings of private and normal windows; see `score/private-window.ts`. */
function privateMode({ software: { browser } }: VisitState, isPrivate: boolean): Given {
  const refusal = REFUSALS[browser]
  if (isPrivate && refusal !== undefined)
    return { private_mode: { files: refusal, write_ms: null, flush_ratio: null } }
  return { private_mode: { files: 'ok', ...(isPrivate ? IN_MEMORY : ON_DISK) } }
}

const AUTOMATED: Given = {
  automation: { webdriver: true, markers: ['__playwright__binding__'] },
  inspector: { attached: true },
}

/** A browser that pretends to be another one, with a worker and built-in functions that contradict it. */
function antidetect(state: VisitState): Given {
  const honest = workerOf(state)
  return {
    tampering: ['Navigator.hardwareConcurrency:proxy', 'WebGLRenderingContext.getParameter:proxy'],
    worker: {
      ...honest,
      user_agent: honest.user_agent.replace(
        /Windows NT 10\.0; Win64; x64|Macintosh; [^)]*/,
        'X11; Linux x86_64',
      ),
      platform: 'Linux x86_64',
      cores: (honest.cores ?? 8) + 4,
      timezone: 'Europe/Moscow',
      languages: ['ru-RU', 'ru'],
      webgl_renderer: 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)',
    },
  }
}
