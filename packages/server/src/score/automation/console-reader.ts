import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'

/** Shares of a driver are at most .03 and .4, on a machine with far too much work; see `consoleReader` of the agent. */
const DEBUGGER_SHARE_MIN = 0.1
/** Those of recorded timers are 12. */
const RECORDED_SHARE_MIN = 2

type Reader = 'none' | 'devtools' | 'program'

/**
 * What reads the console. Developers have DevTools open, which are a debugger or record performance; drivers read it too,
 * and do neither. `devtools` also where that was not measured. Their settings can switch asynchronous stacks off, and
 * recorders of bugs read the console of a page, so `program` is no verdict by itself.
 */
export const consoleReader = ({ readings }: Pick<Identified, 'readings'>): Reader =>
  readerOf(valueIn(readings.inspector))

/** The same in a worker, to which recorders of bugs do not attach. */
export const workerConsoleReader = ({ readings }: Pick<Identified, 'readings'>): Reader =>
  readerOf(valueIn(readings.worker_inspector))

function readerOf(seen: ReadingValues['inspector'] | undefined): Reader {
  if (!seen?.attached) return 'none'
  const { handler_share = 1, timer_share = 0 } = seen
  return handler_share < DEBUGGER_SHARE_MIN && timer_share < RECORDED_SHARE_MIN ? 'program' : 'devtools'
}
