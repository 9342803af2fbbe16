import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { PointerNote } from '../page/watch-input.ts'
import type { Visit } from '../visit.ts'

/**
 * Imitates a person with xdotool: input comes from the X server and not from an automation protocol. It
 * tests that such input arrives with its timing; it is not a sample of human behaviour.
 */

const STEPS = 28
/** Range of each pause in milliseconds, from a fast to a slow person. */
const STEP_MS = [8, 20] as const
const HOLD_MS = [65, 125] as const
const KEY_GAP_MS = [70, 210] as const

const KEY_NAMES: Readonly<Record<string, string>> = { ' ': 'space', '@': 'at', '.': 'period' }

interface Point {
  x: number
  y: number
}

const pauseLine = ([least, most]: readonly [number, number]): string =>
  `sleep ${((least + Math.random() * (most - least)) / 1_000).toFixed(4)}`

export async function xdotool(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('xdotool', args)
  return stdout.trim()
}

/** One process per gesture, because starting one per event would determine the timing. */
async function perform(commands: readonly string[]): Promise<void> {
  const running = promisify(execFile)('xdotool', ['-'])
  running.child.stdin?.end(`${commands.join('\n')}\n`)
  await running
}

/** Moves along a shallow curve, fastest in the middle. */
function movement(from: Point, to: Point): string[] {
  const bend = (Math.random() - 0.5) * 0.3
  return Array.from({ length: STEPS }, (_, index) => {
    const time = (index + 1) / STEPS
    const share = time * time * (3 - 2 * time)
    const aside = Math.sin(Math.PI * share) * bend
    const x = from.x + (to.x - from.x) * share - (to.y - from.y) * aside
    const y = from.y + (to.y - from.y) * share + (to.x - from.x) * aside
    return [`mousemove ${Math.round(x)} ${Math.round(y)}`, pauseLine(STEP_MS)]
  }).flat()
}

async function pointerAt(): Promise<Point> {
  const [, x, y] = /x:(\d+) y:(\d+)/.exec(await xdotool('getmouselocation')) ?? []
  return { x: Number(x), y: Number(y) }
}

export const moveTo = async (to: Point): Promise<void> => perform(movement(await pointerAt(), to))

export const clickHere = (): Promise<void> => perform(['mousedown 1', pauseLine(HOLD_MS), 'mouseup 1'])

/** A press as short as the driver of a trackpad makes it. */
export const tapHere = (): Promise<void> => perform(['mousedown 1', 'mouseup 1'])

export const pressKey = (key: string): Promise<void> =>
  perform([`keydown ${key}`, pauseLine(HOLD_MS), `keyup ${key}`, pauseLine(KEY_GAP_MS)])

export async function typeText(text: string): Promise<void> {
  for (const character of text) await pressKey(KEY_NAMES[character] ?? character)
}

/** Moves the active window near the corner and resizes it. */
export async function resizeWindow(width: number, height: number): Promise<void> {
  await xdotool('getactivewindow', 'windowmove', '60', '40', 'windowsize', String(width), String(height))
}

const ORIENTATION_MS = 600
/** A position inside the page, whatever else the browser shows. */
const LANDING: Point = { x: 400, y: 480 }

type Targets = PointerNote['targets']

/** Where the fields are on the screen, found as a person does: by moving the mouse into the page. */
export async function onScreen(visit: Visit): Promise<Targets> {
  await moveTo(LANDING)
  // The page reports the pointer's position; an earlier note may come from the window opening under it.
  await pause(ORIENTATION_MS)
  const { x, y, scale, targets } = await visit.pointer()
  const screenPoint = (target: Point): Point => ({
    x: LANDING.x + (target.x - x) * scale,
    y: LANDING.y + (target.y - y) * scale,
  })
  return {
    name: screenPoint(targets.name),
    email: screenPoint(targets.email),
    join: screenPoint(targets.join),
  }
}

interface Habits {
  click?(): Promise<void>
  type?(text: string): Promise<void>
}

/** Fills in the fields with mouse and keyboard. */
export async function fillInByHand(
  visit: Visit,
  { click = clickHere, type = typeText }: Habits = {},
): Promise<void> {
  const { name, email, join } = await onScreen(visit)
  await moveTo(name)
  await click()
  await type('ada')
  await moveTo(email)
  await click()
  await type('ada@home.org')
  await moveTo(join)
  await click()
}

/** Types the start, and pastes copies of it. */
export async function copyAndPaste(text: string): Promise<void> {
  await typeText(text.slice(0, 3))
  for (const key of ['ctrl+a', 'ctrl+c', 'End', 'ctrl+v']) await xdotool('key', key)
}

/** Fills in the fields with the keyboard alone, for people who do not use a mouse. */
export async function fillInByKeyboard(): Promise<void> {
  await pressKey('Tab')
  await typeText('ada')
  await pressKey('Tab')
  await typeText('ada@home.org')
  await pressKey('Return')
}

/** Navigates to a URL by typing it. */
export async function goTo(url: string): Promise<void> {
  await xdotool('key', 'ctrl+l')
  await xdotool('type', '--delay', '15', url)
  await pressKey('Return')
}
