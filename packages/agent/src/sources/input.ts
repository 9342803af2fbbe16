import type { ReadingValues } from '@inkling/contract'
import { HONEYTOKEN_USED } from './honeytokens.ts'

type Input = ReadingValues['input']

/** Gaps between keys that are enough to judge by. */
const KEYS_ENOUGH = 6
/** The server takes late reports for a minute. */
const WAIT_MS = 50_000
const TIMES_MAX = 100

interface Watch {
  counts: Pick<Input, 'moves' | 'moves_before_click' | 'clicks' | 'unfocused' | 'centred'>
  holdsMs: number[]
  keyGapsMs: number[]
  /** Called at the end of each action. */
  waiting: Set<() => void>
}

let watch: Watch | undefined

/**
 * How mouse and keyboard were used since the page's first check: times and counts, never which keys. Touch, and clicks
 * made by a keyboard or by assistive technology, are not counted.
 */
export function input(): Input {
  watch ??= startWatching()
  const { counts, holdsMs, keyGapsMs } = watch
  return { ...counts, hold_ms: median(holdsMs), keys: keyGapsMs.length, key_gap_ms: median(keyGapsMs) }
}

/** The reading once the visitor has acted; undefined before that. */
export function actedInput(): Input | undefined {
  const seen = input()
  return seen.clicks > 0 || seen.keys >= KEYS_ENOUGH ? seen : undefined
}

/** Tells those who wait in `nextAction`. */
export const acted = (): void => {
  for (const onAction of watch?.waiting ?? []) onAction()
}

/**
 * Resolves when the visitor has acted and then nothing more for `settleMs`, or has not acted for `WAIT_MS`; with whether
 * they have acted.
 */
export function nextAction(settleMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let settling: ReturnType<typeof setTimeout> | undefined
    const onAction = (): void => {
      clearTimeout(settling)
      settling = setTimeout(finish, settleMs)
    }
    const finish = (): void => {
      watch?.waiting.delete(onAction)
      resolve(settling !== undefined)
    }
    watch?.waiting.add(onAction)
    setTimeout(finish, WAIT_MS)
  })
}

function startWatching(): Watch {
  const watched: Watch = {
    counts: { moves: 0, moves_before_click: null, clicks: 0, unfocused: 0, centred: 0 },
    holdsMs: [],
    keyGapsMs: [],
    waiting: new Set(),
  }
  const { counts, holdsMs, keyGapsMs } = watched
  let pressedAtMs: number | undefined
  const keep = (times: number[], timeMs: number): void => {
    if (times.length < TIMES_MAX) times.push(timeMs)
  }

  on('pointermove', () => {
    counts.moves++
  })
  on('pointerdown', (event) => {
    if (!hasPointer(event)) return
    counts.moves_before_click ??= counts.moves
    pressedAtMs = event.timeStamp
  })
  on('pointerup', (event) => {
    if (pressedAtMs !== undefined) {
      keep(holdsMs, event.timeStamp - pressedAtMs)
      pressedAtMs = undefined
      counts.clicks++
      if (!document.hasFocus()) counts.unfocused++
      if (isCentre(event)) counts.centred++
    }
    acted()
  })
  on('keydown', (event) => {
    const { timeStamp, repeat } = event
    if (repeat) return
    if (keyAtMs !== undefined) keep(keyGapsMs, timeStamp - keyAtMs)
    keyAtMs = timeStamp
    if (keyGapsMs.length >= KEYS_ENOUGH) acted()
  })
  document.addEventListener(HONEYTOKEN_USED, acted)
  return watched
}

interface Heard {
  pointermove: PointerEvent
  pointerdown: PointerEvent
  pointerup: PointerEvent
  keydown: KeyboardEvent
  input: InputEvent
}

/** Chromium: which of the devices it is, or 0 (https://w3c.github.io/pointerevents/#dom-pointerevent-persistentdeviceid). */
interface WithDevice {
  persistentDeviceId?: number
}

/** When the last key was pressed; undefined after a key of a password, which no gap may contain. */
let keyAtMs: number | undefined
/** Where the pointer is. */
let movedX = Number.NaN
let movedY = Number.NaN

/**
 * Whether a press is of a device or where the pointer is. Assistive technology presses elsewhere, in the exact middle and
 * in windows without focus, too (Chromium under AT-SPI: of the type `mouse`, without pressure and device).
 */
export const hasPointer = ({ persistentDeviceId, clientX, clientY }: PointerEvent & WithDevice): boolean =>
  !!persistentDeviceId || Math.hypot(clientX - movedX, clientY - movedY) < 1

const handlers: Record<keyof Heard, ((event: never) => void)[]> = {
  pointermove: [],
  pointerdown: [],
  pointerup: [],
  keydown: [],
  input: [],
}

/**
 * Listens to real events of mouse and keyboard: not to those that scripts dispatch, not to touch, and not to keys and
 * texts of password fields. What fails stays out of the page's error handlers. The page has one listener of each type,
 * because every further one costs at every move.
 */
export function on<Type extends keyof Heard>(type: Type, handle: (event: Heard[Type]) => void): void {
  const all = handlers[type]
  if (all.push(handle) > 1) return
  const listener = (event: Event): void => {
    try {
      // The path is asked for at keys and texts alone: at every move it would cost more than the counting.
      const { isTrusted, pointerType, clientX, clientY } = event as PointerEvent
      if (pointerType === undefined && isSecret(event)) keyAtMs = undefined
      else if (isTrusted && (pointerType ?? 'mouse') === 'mouse') {
        if (type === 'pointermove') {
          movedX = clientX
          movedY = clientY
        }
        for (const each of all) each(event as never)
      }
    } catch {}
  }
  document.addEventListener(type, listener, { capture: true, passive: true })
}

/** Fields that were for a password once: "show password" makes a text field of them. */
const secrets = new WeakSet<object>()

function isSecret(event: Event): boolean {
  const field = event.composedPath()[0] as Partial<HTMLInputElement>
  if (/password/.test(`${field.type} ${field.autocomplete}`)) secrets.add(field)
  return secrets.has(field)
}

/** People click somewhere on a target, automation tools in its exact middle. */
function isCentre({ target, clientX, clientY }: PointerEvent): boolean {
  if (!(target instanceof Element)) return false
  const { left, top, width, height } = target.getBoundingClientRect()
  return Math.abs(clientX - left - width / 2) < 1 && Math.abs(clientY - top - height / 2) < 1
}

const median = (times: number[]): number | null => [...times].sort((a, b) => a - b)[times.length >> 1] ?? null
