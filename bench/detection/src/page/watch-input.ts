/** Statistics of the input, so that the results show what drivers and desktop really did. */
export interface InputFacts {
  movesBeforeClick: number
  focusedAtClick: boolean | undefined
  /** Milliseconds between press and release of the mouse button. */
  holdMs: number[]
  /** Milliseconds between key presses. */
  keyGapMs: number[]
}

const TARGETS = ['name', 'email', 'join'] as const
const REST_MS = 100

/** Positions of the pointer and the fields in CSS pixels of the page, for aiming from outside. */
export interface PointerNote {
  x: number
  y: number
  scale: number
  targets: Record<(typeof TARGETS)[number], { x: number; y: number }>
}

export function watchInput(tellPointer: (note: PointerNote) => void): InputFacts {
  const facts: InputFacts = { movesBeforeClick: 0, focusedAtClick: undefined, holdMs: [], keyGapMs: [] }
  let pressedAt = 0
  let lastKeyAt = 0
  let resting: ReturnType<typeof setTimeout> | undefined

  const watch = <Name extends keyof WindowEventMap>(name: Name, on: (event: WindowEventMap[Name]) => void) =>
    addEventListener(name, on, { capture: true, passive: true })
  watch('mousemove', (event) => {
    if (facts.focusedAtClick === undefined) facts.movesBeforeClick++
    clearTimeout(resting)
    resting = setTimeout(() => tellPointer(pointerNote(event)), REST_MS)
  })
  watch('mousedown', (event) => {
    pressedAt = event.timeStamp
    facts.focusedAtClick ??= document.hasFocus()
  })
  watch('mouseup', (event) => {
    facts.holdMs.push(event.timeStamp - pressedAt)
  })
  watch('keydown', (event) => {
    if (lastKeyAt > 0) facts.keyGapMs.push(event.timeStamp - lastKeyAt)
    lastKeyAt = event.timeStamp
  })
  return facts
}

function pointerNote(event: MouseEvent): PointerNote {
  const entries = TARGETS.map((id) => {
    const box = document.getElementById(id)?.getBoundingClientRect() ?? new DOMRect()
    return [id, { x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  })
  return {
    x: event.clientX,
    y: event.clientY,
    scale: devicePixelRatio,
    targets: Object.fromEntries(entries),
  }
}
