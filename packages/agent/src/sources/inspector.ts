import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'
import { isNative } from './lib/is-native.ts'

/** V8 only: called when a stack is turned into text. */
interface StackHook {
  prepareStackTrace?: unknown
}

/**
 * Whether something reads the console's messages: open DevTools, or a program that drives the browser. An error
 * that nobody reads is never turned into text. Ending a group shows nothing, and pages end theirs in the task
 * that began them. (Getters and proxies no longer tell, and a costly table would be seen.)
 */
export function inspector(): ReadingValues['inspector'] {
  // biome-ignore lint/suspicious/noConsole: shows nothing; and TypeScript knows of no argument here
  const endGroup = console.groupEnd as (error: Error) => void
  // Scripts that record the console look at the stack themselves.
  if (!('chrome' in window) || !isNative(endGroup, 'groupEnd')) throw new Unsupported()
  const hook = Error as StackHook
  const before = Object.getOwnPropertyDescriptor(hook, 'prepareStackTrace')
  let attached = false
  try {
    hook.prepareStackTrace = () => {
      attached = true
    }
    endGroup(new Error())
  } finally {
    if (before) Object.defineProperty(hook, 'prepareStackTrace', before)
    else delete hook.prepareStackTrace
  }
  return { attached }
}
