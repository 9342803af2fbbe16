import type { ReadingValues } from '@inkling/contract'

type Input = ReadingValues['input']

/** Enough to judge by. */
const KEYS_ENOUGH = 6
/** What belongs to the same action may still come. */
const SETTLE_MS = 400
/** The server takes what is late for a minute. */
const WAIT_MS = 50_000
const TIMES_MAX = 100

interface Watch {
  counts: Pick<Input, 'moves' | 'moves_before_click' | 'clicks' | 'unfocused' | 'centred'>
  holdsMs: number[]
  keyGapsMs: number[]
  /** Called with each end of an action. */
  waiting: Set<() => void>
}

let watch: Watch | undefined

/**
 * How mouse and keyboard were used since the page's first check: when, never what. Not one key is read, and
 * nothing of touch screens or of clicks that a keyboard makes.
 */
export function input(): Input {
  watch ??= startWatching()
  const { counts, holdsMs, keyGapsMs } = watch
  return { ...counts, hold_ms: median(holdsMs), keys: keyGapsMs.length, key_gap_ms: median(keyGapsMs) }
}

/** What there is to tell once the visitor has acted; undefined before. */
export function actedInput(): Input | undefined {
  const told = input()
  return told.clicks > 0 || told.keys >= KEYS_ENOUGH ? told : undefined
}

/** Resolves when the visitor has acted, has not for long, or leaves the page. */
export function nextAction(): Promise<void> {
  return new Promise((resolve) => {
    let settling: ReturnType<typeof setTimeout> | undefined
    const onAction = (): void => {
      clearTimeout(settling)
      settling = setTimeout(finish, SETTLE_MS)
    }
    const finish = (): void => {
      watch?.waiting.delete(onAction)
      resolve()
    }
    watch?.waiting.add(onAction)
    setTimeout(finish, WAIT_MS)
    addEventListener('pagehide', finish, { once: true })
  })
}

function startWatching(): Watch {
  const watched: Watch = {
    counts: { moves: 0, moves_before_click: null, clicks: 0, unfocused: 0, centred: 0 },
    holdsMs: [],
    keyGapsMs: [],
    waiting: new Set(),
  }
  const { counts, holdsMs, keyGapsMs, waiting } = watched
  const acted = (): void => {
    for (const onAction of waiting) onAction()
  }
  let pressedAtMs: number | undefined
  let keyAtMs: number | undefined
  const keep = (times: number[], timeMs: number): void => {
    if (times.length < TIMES_MAX) times.push(timeMs)
  }

  on('pointermove', () => {
    counts.moves++
  })
  on('pointerdown', ({ timeStamp }) => {
    counts.moves_before_click ??= counts.moves
    pressedAtMs = timeStamp
  })
  on('pointerup', (event) => {
    if (pressedAtMs === undefined) return
    keep(holdsMs, event.timeStamp - pressedAtMs)
    pressedAtMs = undefined
    counts.clicks++
    if (!document.hasFocus()) counts.unfocused++
    if (isCentre(event)) counts.centred++
    acted()
  })
  on('keydown', ({ timeStamp }) => {
    if (keyAtMs !== undefined) keep(keyGapsMs, timeStamp - keyAtMs)
    keyAtMs = timeStamp
    if (keyGapsMs.length >= KEYS_ENOUGH) acted()
  })
  return watched
}

/** What the page's own scripts make is not input, and touch has its own ways. */
function on(type: string, heard: (event: PointerEvent) => void): void {
  const listener = (event: Event): void => {
    const { isTrusted, pointerType = 'mouse', repeat } = event as PointerEvent & Partial<KeyboardEvent>
    if (isTrusted && pointerType === 'mouse' && !repeat) heard(event as PointerEvent)
  }
  document.addEventListener(type, listener, { capture: true, passive: true })
}

/** People hit what they aim at somewhere, programs in its exact middle. */
function isCentre({ target, clientX, clientY }: PointerEvent): boolean {
  if (!(target instanceof Element)) return false
  const { left, top, width, height } = target.getBoundingClientRect()
  return Math.abs(clientX - left - width / 2) < 1 && Math.abs(clientY - top - height / 2) < 1
}

const median = (times: number[]): number | null => [...times].sort((a, b) => a - b)[times.length >> 1] ?? null
