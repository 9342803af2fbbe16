import { join } from 'node:path'
import { progress } from '../lib/progress.ts'
import { saturate } from '../load/saturate.ts'
import { visitTemplates } from '../load/visit-templates.ts'
import { type CeilingThread, startCeiling } from './start-ceiling.ts'

const TRIAL_SECONDS = 4

export interface CeilingChoice {
  thread: CeilingThread
  perSecond: Record<CeilingThread, number>
}

/** Tries both threads on this machine and takes the faster: a ceiling has to be one. */
export async function pickCeiling(folder: string, concurrency: number): Promise<CeilingChoice> {
  const perSecond = { main: 0, worker: 0 }
  for (const thread of ['main', 'worker'] as const) {
    const ceiling = await startCeiling(join(folder, `trial-${thread}.db`), thread)
    const templates = visitTemplates({ port: ceiling.port, publicKey: '', domain: 'bench.example' })
    const run = { port: ceiling.port, templates, concurrency }
    await saturate({ ...run, seconds: 1 })
    perSecond[thread] = (await saturate({ ...run, seconds: TRIAL_SECONDS })).perSecond
    await ceiling.stop()
    progress(`ceiling that writes on the ${thread} thread: ${perSecond[thread].toFixed(0)}/s`)
  }
  return { thread: perSecond.main >= perSecond.worker ? 'main' : 'worker', perSecond }
}
