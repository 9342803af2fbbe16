import { FEATURE_VERSIONS } from './engine-versions.ts'

/** How the versions of Chromium, Firefox and Safari are written in a user agent, in the table's order. */
const VERSIONS = [
  /\b(?:Headless)?Chrome\/(\d+)/,
  /\bFirefox\/(\d+)/,
  // Other browsers on iOS have versions of their own there, also when they ask for desktop pages.
  /\bMacintosh\b(?!.*(?:CriOS|FxiOS|EdgiOS|GSA)).*\bVersion\/(\d+\.\d+)\b.*\bSafari\//,
]
/** The features of each engine, and since which version it has them. */
const FEATURES = VERSIONS.map((_, engine) =>
  Object.entries(FEATURE_VERSIONS)
    .map(([name, versions]) => ({ name, since: versions[engine] ?? 0 }))
    .filter(({ since }) => since > 0),
)
/** One may be a flag that somebody set, or ours to correct. */
const FEATURES_MIN = 2
/** A feature may arrive a version earlier for some. */
const VERSIONS_APART = 2

export interface EngineContradiction {
  claimed: number
  /** Features that the claimed version does not have yet. */
  newer: string[]
  /** Features that it should have. */
  missing: string[]
}

/**
 * Whether the engine's features are those of another version than the user agent claims: undefined when they
 * agree, or when the user agent names no version that is known here.
 */
export function engineContradiction(userAgent: string, features: string): EngineContradiction | undefined {
  const engine = VERSIONS.findIndex((version) => version.test(userAgent))
  const claimed = Number(VERSIONS[engine]?.exec(userAgent)?.[1])
  if (Number.isNaN(claimed)) return undefined
  const present = new Set(features.split(' '))
  const known = FEATURES[engine] ?? []
  const named = (wanted: (since: number, has: boolean) => boolean) =>
    known.filter(({ name, since }) => wanted(since, present.has(name))).map(({ name }) => name)
  const newer = named((since, has) => has && since >= claimed + VERSIONS_APART)
  const missing = named((since, has) => !has && since <= claimed)
  return newer.length >= FEATURES_MIN || missing.length >= FEATURES_MIN
    ? { claimed, newer, missing }
    : undefined
}
