import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'

const screenSize = (): ReadingValues['screen'] => ({
  width: screen.width,
  height: screen.height,
  avail_width: screen.availWidth,
  avail_height: screen.availHeight,
  color_depth: screen.colorDepth,
  pixel_ratio: devicePixelRatio,
})

/** In a frame, the inner size is the frame's; the outer size and the position are those of the whole window. */
const windowGeometry = (): ReadingValues['window'] => ({
  inner_width: innerWidth,
  inner_height: innerHeight,
  outer_width: outerWidth,
  outer_height: outerHeight,
  screen_x: screenX,
  screen_y: screenY,
})

// Named apart from the globals they read.
export { screenSize as screen, windowGeometry as window }

export const frame = (): ReadingValues['frame'] => ({
  nested: window.self !== window.top,
  cross_origin: inForeignFrame(),
})

/** Whether the page is in a frame of another origin's page. */
export function inForeignFrame(): boolean {
  try {
    // Throws when the top page is of another origin. `top` is null only in a detached window.
    return window.top?.location.href === undefined
  } catch {
    return true
  }
}

export function preferences(): ReadingValues['preferences'] {
  if (typeof window.matchMedia !== 'function') throw new Unsupported()

  // In Firefox since 120; in Chromium only extensions define it.
  const { globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean }
  return {
    color_scheme: firstMatch('prefers-color-scheme', ['dark', 'light']),
    contrast: firstMatch('prefers-contrast', ['more', 'less', 'custom', 'no-preference']),
    reduced_motion: mediaMatches('(prefers-reduced-motion: reduce)'),
    forced_colors: mediaMatches('(forced-colors: active)'),
    // A screen with a wide gamut matches the smaller ones too.
    color_gamut: firstMatch('color-gamut', ['rec2020', 'p3', 'srgb']),
    hdr: mediaMatches('(dynamic-range: high)'),
    pointer: firstMatch('pointer', ['fine', 'coarse', 'none']),
    hover: mediaMatches('(hover: hover)'),
    do_not_track: navigator.doNotTrack ?? null,
    global_privacy_control: globalPrivacyControl ?? null,
  }
}

const mediaMatches = (query: string): boolean => window.matchMedia(query).matches

/** The first value that matches; empty when the browser does not know the feature. */
const firstMatch = (feature: string, values: readonly string[]): string =>
  values.find((value) => mediaMatches(`(${feature}: ${value})`)) ?? ''
