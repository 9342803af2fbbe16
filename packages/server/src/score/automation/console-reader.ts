import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'

/** A driver's is at most .03, a debugger's .3 or more, on a machine with far too much work; see `handlerShare` of the agent. */
const DEBUGGER_SHARE_MIN = 0.1

/**
 * What reads the console. Developers have DevTools open, which are a debugger; drivers read it too, and debug nothing.
 * `devtools` also where that was not measured. A recording of performance switches the debugger of DevTools off, and so may
 * its settings, so `program` is no verdict by itself either.
 */
export function consoleReader({ readings }: Pick<Identified, 'readings'>): 'none' | 'devtools' | 'program' {
  const inspector: ReadingValues['inspector'] | undefined = valueIn(readings.inspector)
  if (!inspector?.attached) return 'none'
  return (inspector.handler_share ?? 1) < DEBUGGER_SHARE_MIN ? 'program' : 'devtools'
}
