import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'
import { isNative } from './tampering.ts'

/** What reads the console's messages: open DevTools, or a program that drives the browser. */
export function inspector(): ReadingValues['inspector'] {
  if (!mayShow()) throw new Unsupported()
  return consoleReader()
}

/** V8 only. A script that records the console formats stacks itself, and looks like a reader. */
export const mayShow = (): boolean =>
  // biome-ignore lint/suspicious/noConsole: only its text is looked at
  'chrome' in window && isNative(console.groupEnd, 'groupEnd')

/**
 * Whether something reads the console, and whether it debugs or records. V8 formats the stack of a logged error only for a
 * reader, and calls `Error.prepareStackTrace` then (https://v8.dev/docs/stack-trace-api). Ending a console group prints
 * nothing, and no page has a group open across tasks. Logged getters and proxies, which older checks relied on, no longer
 * show a reader (Chromium 156).
 *
 * DevTools and other debuggers record where each handler of a promise comes from, to show asynchronous stacks
 * (`Debugger.setAsyncCallStackDepth`, https://chromedevtools.github.io/devtools-protocol/tot/Debugger/). That takes as long
 * as the stack of an error does: at least .3 of it in Chromium 156 on a machine with ten times its work, and at most .03
 * with a driver, which reads the console without debugging. While DevTools record performance they do not debug, but record
 * where each timer comes from, which takes 12 times as long as an error; with a driver .4 at most. The fastest of a few
 * counts, because other work only makes them slower.
 *
 * Also sent to a worker as text, so it may use nothing from outside itself.
 */
export function consoleReader(): ReadingValues['inspector'] {
  // Frames on the stack. A debugger records them, so they make handlers dear and the kinds comparable.
  const frames = 20
  const repetitions = 5
  const hook = Error as { prepareStackTrace?: unknown }
  const before = Object.getOwnPropertyDescriptor(hook, 'prepareStackTrace')
  let attached = false as boolean
  try {
    hook.prepareStackTrace = () => {
      attached = true
    }
    // biome-ignore lint/suspicious/noConsole: prints nothing; the cast is because its type takes no argument
    ;(console.groupEnd as (error: Error) => void)(new Error())
  } finally {
    if (before) Object.defineProperty(hook, 'prepareStackTrace', before)
    else delete hook.prepareStackTrace
  }
  if (!attached) return { attached }

  const durationMs = (operate: () => unknown, count: number, depth = frames): number => {
    if (depth > 0) return durationMs(operate, count, depth - 1)
    const startMs = performance.now()
    for (let left = count; left > 0; left -= 1) operate()
    return performance.now() - startMs
  }
  // So many operations that they take some milliseconds beside a debugger.
  const fastestMs = (operate: () => unknown, count = 200): number =>
    Math.min(...[...Array(repetitions)].map(() => durationMs(operate, count)))
  const settled = Promise.resolve()
  const errorMs = fastestMs(() => new Error())
  // A clock that stands still shows neither.
  if (errorMs <= 0) return { attached }
  return {
    attached,
    handler_share: fastestMs(() => settled.then(() => undefined)) / errorMs,
    // A quarter of them, because recorded ones are dear.
    timer_share: (fastestMs(() => clearTimeout(setTimeout(() => undefined)), 50) * 4) / errorMs,
  }
}
