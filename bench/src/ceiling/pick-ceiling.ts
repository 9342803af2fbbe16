import { progress } from '../lib/progress.ts'
import { saturate } from '../load/saturate.ts'
import { visitTemplates } from '../load/visit-templates.ts'
import type { CeilingVariant } from './ceiling-variants.ts'

const TRIAL_SECONDS = 4

export interface CeilingChoice {
  variant: CeilingVariant
  /** By variant name. */
  perSecond: Record<string, number>
}

/** Tries all variants on this machine and picks the fastest as the ceiling. */
export async function pickCeiling(
  variants: readonly CeilingVariant[],
  concurrency: number,
): Promise<CeilingChoice> {
  const trials: { variant: CeilingVariant; perSecond: number }[] = []
  for (const [index, variant] of variants.entries()) {
    const { ports, stop } = await variant.start(`trial${index}`)
    const templates = visitTemplates({ port: ports[0] ?? 0, publicKey: '', domain: 'bench.example' })
    const run = { ports, templates, concurrency }
    await saturate({ ...run, seconds: 1 })
    const { perSecond } = await saturate({ ...run, seconds: TRIAL_SECONDS })
    await stop()
    trials.push({ variant, perSecond })
    progress(`ceiling, ${variant.name}: ${perSecond.toFixed(0)}/s`)
  }
  const [fastest] = trials.toSorted((a, b) => b.perSecond - a.perSecond)
  if (!fastest) throw new Error('there is no variant')
  return {
    variant: fastest.variant,
    perSecond: Object.fromEntries(trials.map(({ variant, perSecond }) => [variant.name, perSecond])),
  }
}
