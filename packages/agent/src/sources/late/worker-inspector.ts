import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../../collect/source.ts'
import { consoleReader, mayShow } from '../inspector.ts'
import { inThread } from '../lib/in-thread.ts'

/**
 * What reads the console of a worker. Drivers attach to all threads of a page, recorders of bugs to the page alone. Only
 * where a page has a reader, or hides from us whether it has one: few visits start a worker for it.
 */
export async function workerInspector(): Promise<ReadingValues['worker_inspector']> {
  if (!('chrome' in window) || (mayShow() && !consoleReader().attached)) throw new Unsupported()
  return inThread(`postMessage((${consoleReader})())`)
}
