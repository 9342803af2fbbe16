import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'
import { isNative } from './tampering.ts'

/**
 * Names that automation tools define, and that nobody else would choose: `phantom` is also a wallet, and any page may
 * have a global called `emit`, `spawn`, `driver` or `process`. Each was seen in the tool itself (see
 * docs/accuracy/detection.md) or in its source, such as
 * https://github.com/SeleniumHQ/selenium/tree/trunk/javascript and
 * https://source.chromium.org/chromium/chromium/src/+/main:chrome/test/chromedriver/js/. Left out are tools whose browsers
 * are too old to run the agent, such as PhantomJS.
 */
const MARKER = new RegExp(
  [
    '^\\$?cdc_', // ChromeDriver's variables, in the window and in the document
    '^\\$chrome_asyncScriptInfo$',
    '^__(\\$?webdriver|playwright|pw[A-Z_]|puppeteer|pptr|selenium|driver_|stagehand|browser_use)',
    '^domAutomation',
    '^(webdriver|selenium|driver)-evaluate',
  ].join('|'),
)

/** Firefox's old driver and Selenium IDE mark the root element with these. */
const ATTRIBUTES = ['webdriver', 'selenium', 'driver']

export const automation = (): ReadingValues['automation'] => ({
  webdriver: navigator.webdriver === true,
  markers: [
    ...markersOf(window),
    ...markersOf(document).map((name) => `document.${name}`),
    ...ATTRIBUTES.filter((name) => document.documentElement?.hasAttribute(name)).map(
      (name) => `html[${name}]`,
    ),
  ].sort(),
})

/** Most are not enumerable, so this looks at own names rather than keys. */
const markersOf = (object: object): string[] =>
  Object.getOwnPropertyNames(object)
    .filter((name) => MARKER.test(name))
    .map((name) => name.slice(0, 128))
    .slice(0, 100)

/** V8 only: called when a stack is turned into text. */
interface StackHook {
  prepareStackTrace?: unknown
}

/**
 * Whether something reads the console's messages: open DevTools, or a program that drives the browser. V8 formats the
 * stack of a logged error only for a reader, and calls `Error.prepareStackTrace` then
 * (https://v8.dev/docs/stack-trace-api). Ending a console group prints nothing, and no page has a group open across
 * tasks. Logged getters and proxies, which older checks relied on, no longer show a reader (Chromium 156).
 */
export function inspector(): ReadingValues['inspector'] {
  // biome-ignore lint/suspicious/noConsole: prints nothing; the cast is because its type takes no argument
  const endGroup = console.groupEnd as (error: Error) => void
  // A script that records the console formats the stack itself.
  if (!('chrome' in window) || !isNative(endGroup, 'groupEnd')) throw new Unsupported()
  const hook = Error as StackHook
  const before = Object.getOwnPropertyDescriptor(hook, 'prepareStackTrace')
  let attached = false as boolean
  try {
    hook.prepareStackTrace = () => {
      attached = true
    }
    endGroup(new Error())
  } finally {
    if (before) Object.defineProperty(hook, 'prepareStackTrace', before)
    else delete hook.prepareStackTrace
  }
  return { attached, ...(attached && { handler_share: handlerShare() }) }
}

/** Of each kind, so that they take some milliseconds beside a debugger. */
const OPERATIONS = 200
const REPETITIONS = 5
/** Frames on the stack. A debugger records them, so they make handlers dear and the two kinds comparable. */
const FRAMES = 20

/**
 * DevTools and other debuggers record where each handler of a promise comes from, to show asynchronous stacks
 * (`Debugger.setAsyncCallStackDepth`, https://chromedevtools.github.io/devtools-protocol/tot/Debugger/). That takes as long
 * as the stack of an error does. Measured in Chromium 156 on a machine with ten times its work: at least .3 of it, and at
 * most .03 with a driver, which reads the console without debugging. The fastest of a few counts, because other work only
 * makes them slower.
 */
function handlerShare(): number | undefined {
  const settled = Promise.resolve()
  const handlerMs = fastestMs(() => settled.then(() => undefined))
  const errorMs = fastestMs(() => new Error())
  // A clock that stands still shows neither.
  return errorMs > 0 ? handlerMs / errorMs : undefined
}

const fastestMs = (operate: () => unknown): number =>
  Math.min(...Array.from({ length: REPETITIONS }, () => durationMs(operate, FRAMES)))

function durationMs(operate: () => unknown, frames: number): number {
  if (frames > 0) return durationMs(operate, frames - 1)
  const startMs = performance.now()
  for (let left = OPERATIONS; left > 0; left -= 1) operate()
  return performance.now() - startMs
}
