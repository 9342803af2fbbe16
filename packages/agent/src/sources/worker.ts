import type { ReadingValues } from '@inkling/contract'
import { inThread } from './lib/in-thread.ts'
import { realmFacts } from './lib/realm-facts.ts'

/** Safari before 17 has no OffscreenCanvas; the other facts still count. */
const PROGRAM = `let c=null;try{c=new OffscreenCanvas(1,1)}catch{}postMessage((${realmFacts})(self,c))`

/** The same facts from a worker, where scripts that forge the page's facts seldom reach. */
export const worker = (): Promise<ReadingValues['worker']> => inThread(PROGRAM)
