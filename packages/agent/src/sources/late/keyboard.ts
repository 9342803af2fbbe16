import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../../collect/source.ts'

interface WithKeyboard {
  /** Chromium on desktops, in secure contexts and outside of foreign frames: https://wicg.github.io/keyboard-map/ */
  keyboard?: { getLayoutMap(): Promise<ReadonlyMap<string, string>> }
}

/**
 * Whether the keyboard is the one that Chromium makes up where it has no display: that of the United States, with the key
 * for yen, but without the other key of Japanese keyboards. See
 * https://source.chromium.org/chromium/chromium/src/+/main:ui/events/ozone/layout/stub/stub_keyboard_layout_engine.cc
 */
export async function keyboard(): Promise<ReadingValues['keyboard']> {
  const keys = await (navigator as WithKeyboard).keyboard?.getLayoutMap()
  if (!keys) throw new Unsupported()
  return { made_up: keys.get('IntlYen') === '¥' && keys.get('KeyQ') === 'q' && !keys.has('IntlRo') }
}
