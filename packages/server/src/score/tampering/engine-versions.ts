import { growingCache } from '../../lib/growing-cache.ts'

/**
 * The version in which each engine got a feature: Chromium, Firefox and Safari on desktops, 0 where it has
 * none or none is known. From browser-compat-data 8.1.9 (CC0), https://github.com/mdn/browser-compat-data
 */
export const FEATURE_VERSIONS: Readonly<Record<string, readonly [number, number, number]>> = {
  'Array.prototype.at': [92, 90, 15.4],
  'Object.hasOwn': [93, 92, 15.4],
  'Array.prototype.findLast': [97, 104, 15.4],
  structuredClone: [98, 94, 15.4],
  'Intl.supportedValuesOf': [99, 93, 15.4],
  CSSLayerBlockRule: [99, 97, 15.4],
  navigation: [102, 147, 26.2],
  CSSContainerRule: [105, 110, 16],
  'Array.prototype.toSorted': [110, 115, 16],
  'String.prototype.isWellFormed': [111, 119, 16.4],
  'RegExp.prototype.unicodeSets': [112, 116, 17],
  'ArrayBuffer.prototype.transfer': [114, 122, 17.4],
  'HTMLElement.prototype.showPopover': [114, 125, 17],
  'Map.groupBy': [117, 119, 17.4],
  CSSStartingStyleRule: [117, 129, 17.5],
  'Promise.withResolvers': [119, 121, 17.4],
  'Array.fromAsync': [121, 115, 16.4],
  'Set.prototype.union': [122, 127, 17],
  CSSPositionTryRule: [125, 147, 26],
  CloseWatcher: [126, 149, 0],
  'Promise.try': [128, 134, 18.2],
  'Intl.DurationFormat': [129, 136, 16.4],
  CSSNestedDeclarations: [130, 132, 18.2],
  'Atomics.pause': [133, 137, 18.4],
  'Element.prototype.moveBefore': [133, 144, 0],
  SuppressedError: [134, 141, 0],
  'Math.f16round': [135, 129, 18.2],
  'RegExp.escape': [136, 134, 18.2],
  'WebAssembly.Suspending': [137, 153, 27],
  'Uint8Array.fromBase64': [140, 133, 18.2],
  Temporal: [144, 139, 0],
  'Map.prototype.getOrInsert': [145, 144, 26.2],
  'Iterator.concat': [146, 147, 26.4],
  'Element.prototype.setHTML': [146, 148, 0],
  'Element.prototype.startViewTransition': [147, 0, 0],
  'Math.sumPrecise': [147, 137, 26.2],
  'Element.prototype.pseudo': [149, 0, 0],
  'HTMLElement.prototype.autocorrect': [153, 136, 0],
  'Iterator.zip': [153, 148, 0],
  'Iterator.prototype.includes': [154, 154, 0],
}

/**
 * A page's scripts may add these to a browser that lacks them, and libraries do, with the text of a native function. So
 * they show no newer engine. Supported by core-js 3.50 (https://github.com/zloirock/core-js), FormatJS and polyfills of
 * single features. A style rule, or syntax, has to be the engine's own.
 */
const ADDED_BY_PAGES: ReadonlySet<string> = new Set([
  ...['Array.prototype.at', 'Array.prototype.findLast', 'Array.prototype.toSorted', 'Array.fromAsync'],
  ...['Object.hasOwn', 'structuredClone', 'Map.groupBy', 'Map.prototype.getOrInsert', 'Set.prototype.union'],
  ...['String.prototype.isWellFormed', 'ArrayBuffer.prototype.transfer', 'Uint8Array.fromBase64'],
  ...['Promise.withResolvers', 'Promise.try', 'SuppressedError', 'Math.f16round', 'Math.sumPrecise'],
  ...['RegExp.escape', 'Iterator.concat', 'Iterator.zip', 'Iterator.prototype.includes', 'Temporal'],
  ...['Intl.supportedValuesOf', 'Intl.DurationFormat'],
  ...['navigation', 'CloseWatcher', 'HTMLElement.prototype.showPopover', 'Element.prototype.setHTML'],
])

/** The version of Chromium, Firefox and Safari in a user agent, in the order of the table's columns. */
const VERSIONS = [
  /\b(?:Headless)?Chrome\/(\d+)/,
  /\bFirefox\/(\d+)/,
  // Other browsers on iOS put their own version there, and say Macintosh when they ask for desktop pages.
  /\bMacintosh\b(?!.*(?:CriOS|FxiOS|EdgiOS|GSA)).*\bVersion\/(\d+\.\d+)\b.*\bSafari\//,
]
const FEATURES_OF_ENGINE = VERSIONS.map((_, engine) =>
  Object.entries(FEATURE_VERSIONS)
    .map(([name, versions]) => ({ name, since: versions[engine] ?? 0 }))
    .filter(({ since }) => since > 0),
)
/** A single feature may be behind a flag that somebody switched, or a mistake in the table. */
const FEATURES_MIN = 2
/** Some users get a feature one version early. */
const VERSIONS_APART_MIN = 2

export interface EngineContradiction {
  claimed: number
  /** Features that the claimed version does not have yet, and that no page can add. */
  newer: string[]
  /** Features that the claimed version has. */
  missing: string[]
}

/** Each version of a browser has its own text of features, so a few thousand pairs are most of the web. */
const known = growingCache<string, EngineContradiction | 'none'>(2_000)

/**
 * How the engine's features contradict the version in the user agent; undefined when they agree, or when the
 * user agent names no engine of the table.
 *
 * @param features names of the features that the engine has, separated by blanks
 */
export function engineContradiction(userAgent: string, features: string): EngineContradiction | undefined {
  const pair = `${userAgent}\n${features}`
  let found = known.get(pair)
  if (found === undefined) {
    found = compareFeatures(userAgent, features) ?? 'none'
    known.set(pair, found)
  }
  return found === 'none' ? undefined : found
}

function compareFeatures(userAgent: string, features: string): EngineContradiction | undefined {
  const engine = VERSIONS.findIndex((version) => version.test(userAgent))
  const claimed = Number(VERSIONS[engine]?.exec(userAgent)?.[1])
  if (Number.isNaN(claimed)) return undefined
  const present = new Set(features.split(' '))
  const namesWhere = (holds: (since: number, has: boolean) => boolean) =>
    (FEATURES_OF_ENGINE[engine] ?? [])
      .filter(({ name, since }) => holds(since, present.has(name)))
      .map(({ name }) => name)
  const newer = namesWhere((since, has) => has && since >= claimed + VERSIONS_APART_MIN).filter(
    (name) => !ADDED_BY_PAGES.has(name),
  )
  const missing = namesWhere((since, has) => !has && since <= claimed)
  return newer.length >= FEATURES_MIN || missing.length >= FEATURES_MIN
    ? { claimed, newer, missing }
    : undefined
}
