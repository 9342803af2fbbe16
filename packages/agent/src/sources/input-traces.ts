import type { ReadingValues } from '@inkling/contract'
import { acted, hasPointer, on } from './input.ts'

type Traces = ReadingValues['input_traces']

/** Of a window without title bar and toolbars, or with a notice at most. */
const BARS_PX = 40
/** Beyond it, even a zoom of 110 % moves a position by more than the slack. */
const CORNER_PX = 200
/** Text of so many characters has no single key. */
const INSERTION_MIN = 3
/** Browsers round time stamps to 0.1 ms, up or down. */
const FRACTION_MS = 0.25

/** What a device leaves out shows in these moves. Of further ones each eighth is looked at, because each look costs. */
const LOOKED_AT = 100
const EACH = 8

let traces: Partial<Traces> | undefined

/**
 * How often input lacked what a device gives it, since the page's first check; left out where it never did. These are
 * counts alone: no key, no character, no position and no time is kept.
 */
export function inputTraces(): Traces {
  traces ??= startWatching()
  return { ...traces } as Traces
}

function startWatching(): Partial<Traces> {
  const seen: Partial<Traces> = {}
  const add = (name: keyof Traces): void => {
    seen[name] = (seen[name] ?? 0) + 1
  }
  let firstStamp: number | undefined
  let isKeyed = false
  let moves = 0

  const onPointer = (event: PointerEvent): void => {
    const { timeStamp, clientX, clientY, type } = event
    firstStamp ??= timeStamp
    if (!isWhole(timeStamp - firstStamp, FRACTION_MS)) add('odd_stamps')
    const ratio = devicePixelRatio
    const isOn = (grid: number, slack: number): boolean =>
      isWhole(clientX * ratio * grid, slack) && isWhole(clientY * ratio * grid, slack)
    // The position of a page that is zoomed by a pinch is on no grid. Its scale makes WebKit lay the page out.
    if (!isOn(1, 0.001) && window.visualViewport?.scale === 1)
      add(isOn(4, 0.004) ? 'quarters' : isOn(256, 0.02) ? 'subpixels' : 'off_grid')
    // Near the corner, where a page in full screen that is zoomed would have it.
    if (
      clientX + clientY > CORNER_PX &&
      Math.hypot(event.screenX - clientX - screenX, event.screenY - clientY - screenY) < 2 &&
      outerHeight - innerHeight > BARS_PX
    )
      add('repaired')
    // Assistive technology presses without pressure too.
    if (type === 'pointerdown' && !event.pressure && hasPointer(event)) add('flat')
  }
  on('pointermove', (event) => {
    // Only in secure contexts; elsewhere nobody knows, which must not look like a move at a time.
    // One is enough: asking costs more than all else here.
    if (!seen.batched && (event.getCoalescedEvents?.().length ?? 2) > 1) add('batched')
    if (moves++ < LOOKED_AT || !(moves % EACH)) onPointer(event)
  })
  on('pointerdown', onPointer)
  on('pointerup', onPointer)
  on('keydown', (event) => {
    const { code, key, shiftKey } = event
    isKeyed = true
    add('keys')
    if (/^Key.[A-Z]$/.test(code + key) && !shiftKey && !event.getModifierState('CapsLock')) add('capitals')
  })
  on('input', (event) => {
    const { inputType, data, isComposing } = event
    if (inputType === 'insertText' && data && !isComposing) {
      if (!data[1]) add('characters')
      if (data[INSERTION_MIN - 1] && !isKeyed) {
        add('insertions')
        acted()
      }
    }
    isKeyed = false
  })
  return seen
}

/** Whether a number is whole, or nearly. */
const isWhole = (value: number, slack: number): boolean => Math.abs(value - Math.round(value)) < slack
