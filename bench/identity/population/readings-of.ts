import type { ReadingValues, ReportedReadings } from '@inkling/contract'
import { digest } from './chance.ts'
import type { Hardware, Screen, Software, VisitState } from './device.ts'

const GECKO = '20100101'
const LIKE_GECKO = '20030107'

/** What Inkling's agent would report of this visit. */
export function readingsOf(visit: VisitState): ReportedReadings {
  const { hardware, software, preferences, noise, insecure } = visit
  const gecko = software.browser === 'Firefox'
  const apple = software.browser === 'Safari'
  const chromium = !gecko && !apple
  const screen = cssScreen(hardware.screen, preferences.zoom, gecko)
  return {
    user_agent: { value: userAgentOf(hardware, software) },
    ...(chromium && !insecure
      ? { client_hints: { value: hintsOf(hardware, software) } }
      : { client_hints: { error: 'unsupported' } }),
    platform: { value: platformOf(hardware) },
    vendor: {
      value: gecko
        ? { vendor: '', product_sub: GECKO }
        : { vendor: apple ? 'Apple Computer, Inc.' : 'Google Inc.', product_sub: LIKE_GECKO },
    },
    screen: { value: screen },
    timezone: { value: { name: preferences.timezone, offset_minutes: preferences.offsetMinutes } },
    languages: {
      value: {
        language: preferences.languages[0] ?? 'en-US',
        languages: [...preferences.languages],
        locale: preferences.languages[0] ?? 'en-US',
      },
    },
    hardware: {
      value: {
        cores: gecko && visit.hidden ? (hardware.cores < 8 ? 4 : 8) : hardware.cores,
        memory_gb: chromium && !insecure ? Math.min(hardware.memoryGb, 32) : null,
        max_touch_points: hardware.touchPoints,
      },
    },
    raster: { value: rasterOf(hardware, software, noise) },
    waveform: { value: waveformOf(hardware, software, noise) },
    webgl: { value: webglOf(hardware, software) },
    typefaces: { value: [...software.fonts] },
    ...(insecure
      ? { media_devices: { error: 'unsupported' } }
      : { media_devices: { value: [...hardware.mediaDevices] } }),
    rounding: { value: digest(`rounding ${hardware.system} ${hardware.architecture} ${engineOf(software)}`) },
    preferences: {
      value: {
        color_scheme: preferences.colorScheme,
        contrast: 'no-preference',
        reduced_motion: preferences.reducedMotion,
        forced_colors: false,
        color_gamut: hardware.colorGamut,
        hdr: hardware.colorGamut === 'p3',
        pointer: hardware.touchPoints > 0 && hardware.system !== 'Windows' ? 'coarse' : 'fine',
        hover: hardware.system !== 'Android' && hardware.system !== 'iOS',
        do_not_track: preferences.doNotTrack,
        global_privacy_control: null,
      },
    },
    engine: {
      value: {
        features: `${engineOf(software)} ${software.major}`,
        eval_length: gecko || apple ? 37 : 33,
        error_style: engineOf(software),
      },
    },
    automation: { value: { webdriver: false, markers: [] } },
  }
}

const engineOf = ({ browser }: Software): string =>
  browser === 'Firefox' ? 'Gecko' : browser === 'Safari' ? 'WebKit' : 'Blink'

/** Engines change how they draw once in several versions. */
const rasterVersion = (software: Software): number =>
  engineOf(software) === 'WebKit' ? software.major : Math.floor(software.major / 6)

/** Firefox scales the screen with the page's zoom, Chromium only the ratio. */
function cssScreen(
  { width, height, pixelRatio }: Screen,
  zoom: number,
  gecko: boolean,
): ReadingValues['screen'] {
  const scale = gecko ? 1 / zoom : 1
  return {
    width: Math.round(width * scale),
    height: Math.round(height * scale),
    avail_width: Math.round(width * scale),
    avail_height: Math.round((height - 40) * scale),
    color_depth: 24,
    pixel_ratio: pixelRatio * zoom,
  }
}

function rasterOf(hardware: Hardware, software: Software, noise: boolean): ReadingValues['raster'] {
  const engine = `${engineOf(software)} ${rasterVersion(software)}`
  const system = `${hardware.system} ${software.systemVersion.split('.')[0]}`
  const salt = noise ? String(noiseCount++) : ''
  return {
    glyphs: digest(`glyphs ${engine} ${system} ${software.raster} ${salt}`),
    shapes: digest(
      `shapes ${engine} ${hardware.system} ${hardware.gpu.split(' ').slice(0, 3).join(' ')} ${salt}`,
    ),
    stable: !noise,
  }
}
let noiseCount = 0

function waveformOf(hardware: Hardware, software: Software, noise: boolean): ReadingValues['waveform'] {
  const code = `${hardware.system} ${hardware.architecture} ${engineOf(software)} ${noise ? noiseCount : ''}`
  return { synthesis: digest(`synthesis ${code}`), resampling: digest(`resampling ${code}`), stable: !noise }
}

function webglOf(hardware: Hardware, software: Software): ReadingValues['webgl'] {
  const [maker = '', name = ''] = hardware.gpu.split('|')
  const engine = engineOf(software)
  const windows = hardware.system === 'Windows'
  const angle = engine === 'Blink' && hardware.system !== 'Android'
  const renderer = angle
    ? windows
      ? `ANGLE (${maker}, ${name} Direct3D11 vs_5_0 ps_5_0, ${hardware.gpuDriver})`
      : `ANGLE (${maker}, ANGLE Metal Renderer: ${name}, Unspecified Version)`
    : engine === 'Gecko' && windows
      ? `ANGLE (${maker}, ${name.replace(/\d\d(\d\d)/, '$100')} Direct3D11 vs_5_0 ps_5_0), or similar`
      : name
  return {
    vendor: 'WebKit',
    renderer: engine === 'Gecko' ? renderer : 'WebKit WebGL',
    unmasked_vendor: maker,
    unmasked_renderer: renderer,
    version: 'WebGL 2.0',
    shading_language: 'WebGL GLSL ES 3.00',
    parameters: digest(`parameters ${engine} ${hardware.system} ${maker} ${Math.floor(software.major / 12)}`),
    extensions: digest(`extensions ${engine} ${hardware.system} ${maker} ${Math.floor(software.major / 8)}`),
  }
}

const platformOf = ({ system }: Hardware): string =>
  ({
    Windows: 'Win32',
    macOS: 'MacIntel',
    Linux: 'Linux x86_64',
    ChromeOS: 'Linux x86_64',
    Android: 'Linux armv81',
    iOS: 'iPhone',
  })[system]

function userAgentOf({ system }: Hardware, { browser, major, build, systemVersion }: Software): string {
  const place = {
    Windows: 'Windows NT 10.0; Win64; x64',
    macOS: 'Macintosh; Intel Mac OS X 10_15_7',
    Linux: 'X11; Linux x86_64',
    ChromeOS: 'X11; CrOS x86_64 14541.0.0',
    Android: 'Linux; Android 10; K',
    iOS: `iPhone; CPU iPhone OS ${systemVersion.replace('.', '_')} like Mac OS X`,
  }[system]
  const mobile = system === 'Android' || system === 'iOS' ? ' Mobile' : ''
  if (browser === 'Firefox')
    return `Mozilla/5.0 (${system === 'macOS' ? 'Macintosh; Intel Mac OS X 10.15' : place}; rv:${major}.0) Gecko/20100101 Firefox/${major}.0`
  if (browser === 'Safari')
    return `Mozilla/5.0 (${place}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${system === 'iOS' ? build : `${major}.0`}${mobile ? ' Mobile/15E148' : ''} Safari/605.1.15`
  const tail = {
    Chrome: '',
    Brave: '',
    Edge: ` Edg/${major}.0.0.0`,
    Opera: ` OPR/${major - 16}.0.0.0`,
    Samsung: '',
  }[browser]
  const samsung = browser === 'Samsung' ? 'SamsungBrowser/29.0 ' : ''
  return `Mozilla/5.0 (${place}) AppleWebKit/537.36 (KHTML, like Gecko) ${samsung}Chrome/${major}.0.0.0${mobile} Safari/537.36${tail}`
}

function hintsOf(
  hardware: Hardware,
  { browser, major, build, systemVersion }: Software,
): ReadingValues['client_hints'] {
  const brand = {
    Chrome: 'Google Chrome',
    Edge: 'Microsoft Edge',
    Brave: 'Brave',
    Opera: 'Opera',
    Samsung: 'Samsung Internet',
  }[browser as 'Chrome']
  const brands = [
    { brand: 'Chromium', version: String(major) },
    { brand, version: String(major) },
  ]
  return {
    brands,
    mobile: hardware.system === 'Android',
    platform: hardware.system === 'ChromeOS' ? 'Chrome OS' : hardware.system,
    platform_version: systemVersion,
    architecture: hardware.system === 'Android' ? '' : hardware.architecture,
    bitness: hardware.system === 'Android' ? '' : '64',
    model: hardware.model,
    full_version_list: brands.map(({ brand: name }) => ({ brand: name, version: build })),
  }
}
