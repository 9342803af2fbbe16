import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

export function preferences(): ReadingValues['preferences'] {
  if (typeof window.matchMedia !== 'function') throw new Unsupported()

  // Firefox has it since 120, in Chromium only extensions bring it.
  const { globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean }
  return {
    color_scheme: firstMatch('prefers-color-scheme', ['dark', 'light']),
    contrast: firstMatch('prefers-contrast', ['more', 'less', 'custom', 'no-preference']),
    reduced_motion: matches('(prefers-reduced-motion: reduce)'),
    forced_colors: matches('(forced-colors: active)'),
    // A wide gamut includes the smaller ones, so the widest comes first.
    color_gamut: firstMatch('color-gamut', ['rec2020', 'p3', 'srgb']),
    hdr: matches('(dynamic-range: high)'),
    pointer: firstMatch('pointer', ['fine', 'coarse', 'none']),
    hover: matches('(hover: hover)'),
    do_not_track: navigator.doNotTrack ?? null,
    global_privacy_control: globalPrivacyControl ?? null,
  }
}

const matches = (query: string): boolean => window.matchMedia(query).matches

/** The first value that holds; empty where the browser does not know the feature. */
const firstMatch = (feature: string, values: readonly string[]): string =>
  values.find((value) => matches(`(${feature}: ${value})`)) ?? ''
