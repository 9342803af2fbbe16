import type { ReadingName } from '@inkling/contract'
import { formatAddress, parseAddress } from '../lib/address.ts'
import { hash53 } from '../lib/hash53.ts'
import type { Enriched } from '../visit/identification.ts'
import type { Readings } from '../visit/received.ts'

/** What the linker needs from a visit. A stored snapshot has all of it. */
export type Visit = Pick<Enriched, 'domain' | 'cookieId' | 'address' | 'atMs' | 'readings' | 'client'> & {
  ip: Pick<Enriched['ip'], 'class' | 'asn'>
} & Partial<Pick<Enriched, 'proof'>>

/** What a component describes, which decides how often it changes. */
export type ComponentClass = 'hardware' | 'engine' | 'preferences' | 'network' | 'volatile'

/** Each component with its class and the reading it comes from. */
export const COMPONENTS = {
  machine: { class: 'hardware', reading: 'hardware' },
  model: { class: 'hardware', reading: 'client_hints' },
  gpu: { class: 'hardware', reading: 'webgl' },
  screen: { class: 'hardware', reading: 'screen' },
  raster: { class: 'engine', reading: 'raster' },
  waveform: { class: 'engine', reading: 'waveform' },
  rounding: { class: 'engine', reading: 'rounding' },
  limits: { class: 'engine', reading: 'webgl' },
  typefaces: { class: 'preferences', reading: 'typefaces' },
  languages: { class: 'preferences', reading: 'languages' },
  timezone: { class: 'preferences', reading: 'timezone' },
  settings: { class: 'preferences', reading: 'preferences' },
  zoom: { class: 'volatile', reading: 'screen' },
  theme: { class: 'volatile', reading: 'preferences' },
  address: { class: 'network', reading: undefined },
  prefix: { class: 'network', reading: undefined },
  provider: { class: 'network', reading: undefined },
} as const satisfies Record<string, { class: ComponentClass; reading: ReadingName | undefined }>

export type ComponentName = keyof typeof COMPONENTS

/** A visit's facts in comparable form. Missing and noisy facts are absent, which never counts as different. */
export interface Components {
  /** System and browser. Devices of two families are never the same. */
  family: string
  /** Browser and system version, each as numbers; empty when unknown. */
  version: readonly number[]
  systemVersion: readonly number[]
  /** Hashes of the values. */
  values: Partial<Record<ComponentName, number>>
  /** False where the window proves to be no private one; undefined where nothing shows it in time. */
  isPrivate: false | undefined
  /** 16 bits of each font's name. */
  fonts: readonly number[] | undefined
}

export function componentsOf({ readings, client, address, ip }: Visit): Components {
  const values: Components['values'] = {}
  for (const [name, value] of Object.entries(componentValues(readings)))
    values[name as ReadComponent] = hash53(JSON.stringify(value))
  const network = ip.class !== undefined && SHARED_EXITS.has(ip.class) ? {} : networkOf(address)
  for (const [name, value] of Object.entries(network)) values[name as 'address'] = hash53(value)
  // Also of shared exits: a phone comes back through its carrier.
  if (ip.asn !== undefined) values.provider = hash53(`provider ${ip.asn}`)
  return {
    family: `${client.os} ${client.browser}`,
    version: numbersOf(client.browserVersion),
    systemVersion: numbersOf(client.osVersion),
    values,
    isPrivate: isOrdinaryWindow(readings) ? false : undefined,
    fonts: readings.typefaces.ok ? readings.typefaces.value.map((name) => hash53(name) % 65_536) : undefined,
  }
}

/** The components that a browser reads, before they are hashed; what is missing, doubted or standardised is absent. */
export function componentValues(readings: Readings): Partial<Record<ReadComponent, unknown>> {
  const doubted = contradicted(readings)
  const resists = resistsFingerprinting(readings)
  const values: Partial<Record<ReadComponent, unknown>> = {}
  for (const [name, read] of Object.entries(READ) as [ReadComponent, Read][]) {
    const value = doubted.has(name) || (resists && STANDARDISED.has(name)) ? undefined : read(readings)
    if (value !== undefined) values[name] = value
  }
  return values
}

/**
 * What a private window would tell otherwise: Firefox has one of two numbers of cores there, while its drawings are exact
 * (153); Safari adds noise to what it draws. Chromium shows its private windows later, over the follow-up channel.
 */
const isOrdinaryWindow = ({ raster, vendor, hardware }: Readings): boolean => {
  if (isGecko(vendor))
    return hardware.ok && hardware.value.cores !== null && !PRIVATE_CORES.includes(hardware.value.cores)
  return raster.ok && raster.value.stable && vendor.ok && vendor.value.vendor !== CHROMIUM_VENDOR
}

/** Components for which a worker of the same browser reports another value: noise, or a lie. */
function contradicted({
  worker,
  hardware,
  webgl,
  timezone,
  languages,
}: Readings): ReadonlySet<ComponentName> {
  const found = new Set<ComponentName>()
  if (!worker.ok) return found
  const { cores, webgl_renderer, timezone: zone, languages: listed } = worker.value
  if (hardware.ok && cores !== null && hardware.value.cores !== null && cores !== hardware.value.cores)
    found.add('machine')
  const renderer = webgl.ok ? (webgl.value.unmasked_renderer ?? webgl.value.renderer) : null
  if (renderer !== null && webgl_renderer !== null && renderer !== webgl_renderer) found.add('gpu')
  if (timezone.ok && zone !== '' && zone !== timezone.value.name) found.add('timezone')
  if (languages.ok && listed.length > 0 && listed.join() !== languages.value.languages.join())
    found.add('languages')
  return found
}

/**
 * Components that Firefox's `privacy.resistFingerprinting`, and so Tor Browser, reports the same for everybody or
 * derives from the window (measured on Firefox 153).
 */
const STANDARDISED: ReadonlySet<string> = new Set(['machine', 'gpu', 'screen', 'zoom', 'limits', 'timezone'])
/** The time zone that it reports, with a screen of the page's size. */
const STANDARD_ZONE = 'Atlantic/Reykjavik'

function resistsFingerprinting({ vendor, timezone, screen, window }: Readings): boolean {
  if (!isGecko(vendor) || !timezone.ok || !screen.ok || !window.ok) return false
  const { width, height } = screen.value
  const { inner_width, inner_height } = window.value
  return timezone.value.name === STANDARD_ZONE && width === inner_width && height === inner_height
}

export const isPhone = ({ family }: Pick<Components, 'family'>): boolean =>
  family.startsWith('Android') || family.startsWith('IOS')

/** What shows pages inside of apps, each of which has cookies of its own. */
export const isWebView = ({ family }: Pick<Components, 'family'>): boolean => family.endsWith('WebView')

/** Components that distinguish machines; the others are too common to stand alone. */
const DISTINCTIVE: readonly ComponentName[] = ['raster', 'gpu', 'waveform', 'typefaces']
const COMPONENTS_MIN = 3

const ownNames = ({ values }: Components): ComponentName[] =>
  (Object.keys(values) as ComponentName[]).filter((name) => COMPONENTS[name].class !== 'network')

/**
 * The network of a visit by Tor or a VPN, which whoever counts floods must know. Carriers and privacy relays have so many
 * people behind each network that a flood is not to be told from them.
 */
export const exitOf = ({ address, ip }: Visit): number | undefined => {
  const prefix = ip.class === 'vpn' || ip.class === 'tor' ? networkOf(address).prefix : undefined
  return prefix === undefined ? undefined : hash53(prefix)
}

/** Whether the components suffice to distinguish machines. */
export function isUsable(components: Components): boolean {
  const names = ownNames(components)
  return names.length >= COMPONENTS_MIN && names.some((name) => DISTINCTIVE.includes(name))
}

/** The readings that the components come from. */
export const readingsOf = (components: Components): ReadingName[] => [
  ...new Set(ownNames(components).flatMap((name) => COMPONENTS[name].reading ?? [])),
]

/** Thousands of people share these addresses and change between them, so an address identifies nobody. */
const SHARED_EXITS: ReadonlySet<string> = new Set(['mobile', 'vpn', 'tor', 'privacy_relay'])

type Read = (readings: Readings) => unknown

export type ReadComponent = Exclude<ComponentName, 'address' | 'prefix' | 'provider'>

const READ: Record<ReadComponent, Read> = {
  machine: ({ platform, hardware, vendor, client_hints }) =>
    hardware.ok && platform.ok
      ? [
          platform.value,
          inventsHardware(client_hints) ? null : comparableCores(hardware.value.cores, isGecko(vendor)),
          hardware.value.max_touch_points,
        ]
      : undefined,
  // Only Chromium reports these, and only on secure pages. Other browsers never have them; there they are missing.
  model: ({ hardware, client_hints, vendor }) => {
    if (vendor.ok && vendor.value.vendor !== CHROMIUM_VENDOR) return 'never told'
    if (!client_hints.ok || !hardware.ok || hardware.value.memory_gb === null) return undefined
    const { model, architecture, bitness } = client_hints.value
    const memory = inventsHardware(client_hints) ? null : hardware.value.memory_gb
    return [memory, model, architecture, bitness]
  },
  gpu: ({ webgl }) => {
    const renderer = webgl.ok ? (webgl.value.unmasked_renderer ?? webgl.value.renderer) : HIDDEN_RENDERER
    return renderer === HIDDEN_RENDERER ? undefined : gpuName(renderer)
  },
  screen: ({ screen, vendor }) => (screen.ok ? screenSize(screen.value, isGecko(vendor)) : undefined),
  raster: ({ raster }) =>
    raster.ok && raster.value.stable ? [raster.value.glyphs, raster.value.shapes] : undefined,
  // The order of additions changes the last digits.
  waveform: ({ waveform }) =>
    waveform.ok && waveform.value.stable ? [waveform.value.synthesis, waveform.value.resampling] : undefined,
  rounding: ({ rounding }) => (rounding.ok ? rounding.value : undefined),
  limits: ({ webgl }) => (webgl.ok ? [webgl.value.parameters, webgl.value.extensions] : undefined),
  typefaces: ({ typefaces }) => (typefaces.ok ? [...typefaces.value].sort() : undefined),
  languages: ({ languages }) => (languages.ok ? languages.value.languages : undefined),
  timezone: ({ timezone }) => (timezone.ok ? timezone.value.name : undefined),
  settings: ({ preferences, vendor }) => {
    if (!preferences.ok) return undefined
    const { color_scheme: _, global_privacy_control, ...settings } = preferences.value
    // Firefox's private windows always send the signal.
    return isGecko(vendor) ? settings : { ...settings, global_privacy_control }
  },
  zoom: ({ screen }) => (screen.ok ? screen.value.pixel_ratio.toFixed(3) : undefined),
  theme: ({ preferences }) => (preferences.ok ? preferences.value.color_scheme : undefined),
}

/** What Firefox reports when it hides the GPU. */
const HIDDEN_RENDERER = 'Mozilla'

const CHROMIUM_VENDOR = 'Google Inc.'

/** Every Gecko browser reports this date: https://developer.mozilla.org/docs/Web/API/Navigator/productSub */
const isGecko = (vendor: Readings['vendor']): boolean => vendor.ok && vendor.value.product_sub === '20100101'

/**
 * Brave makes up cores and memory for each site, and anew when it starts
 * (https://github.com/brave/brave-browser/wiki/Fingerprinting-Protections).
 */
const inventsHardware = (hints: Readings['client_hints']): boolean =>
  hints.ok && hints.value.brands.some(({ brand }) => brand === 'Brave')

/** What Firefox's private windows report whatever the machine has (measured on 153: 2 cores read 4). */
const PRIVATE_CORES: readonly number[] = [4, 8]

/** Firefox's ordinary windows are rounded to what its private ones report. */
const comparableCores = (cores: number | null, gecko: boolean): number | null =>
  cores === null || !gecko ? cores : cores < 8 ? 4 : 8

/**
 * The GPU without its driver: `ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x2504) Direct3D11 vs_5_0 ps_5_0,
 * D3D11-31.0.15.3623)` keeps maker and name.
 */
const gpuName = (renderer: string): string =>
  renderer
    .replace(/,\s*(?:D3D\d*|OpenGL|Vulkan)?-?[\d.]+\)$/i, ')')
    .replace(/\s+(?:Direct3D\d+|OpenGL|vs_\d_\d|ps_\d_\d).*$/i, '')
    .replace(/\b(?:Mesa|LLVM|DRM|driver)\s*[\d.]+[^,)]*/gi, '')
    .trim()

/** Physical pixels where page zoom scales the screen. The longer side comes first, because devices are rotated. */
function screenSize(
  {
    width,
    height,
    pixel_ratio,
    color_depth,
  }: { width: number; height: number; pixel_ratio: number; color_depth: number },
  scaledByZoom: boolean,
): unknown {
  // Rounding to CSS pixels loses up to one physical pixel in two.
  const scale = scaledByZoom ? pixel_ratio : 1
  const round = (side: number) => (scaledByZoom ? Math.round((side * scale) / 10) * 10 : side)
  return [Math.max(round(width), round(height)), Math.min(round(width), round(height)), color_depth]
}

/** The IPv4 address and its /24. For IPv6 the /64, which a subscriber keeps while the rest changes daily, and the /48. */
function networkOf(text: string): { address?: string; prefix?: string } {
  const address = parseAddress(text)
  if (!address) return {}
  if (address.family === 4)
    return {
      address: formatAddress(address),
      prefix: `${formatAddress({ family: 4, value: (address.value & ~255) >>> 0 })}/24`,
    }
  const [first, second] = address.words
  const hex = (word: number) => word.toString(16)
  return {
    address: `${hex(first)}:${hex(second)}/64`,
    prefix: `${hex(first)}:${hex((second & 0xffff0000) >>> 0)}/48`,
  }
}

const numbersOf = (version: string): number[] =>
  version === ''
    ? []
    : version
        .split('.')
        .slice(0, 4)
        .map((part) => Number.parseInt(part, 10) || 0)
