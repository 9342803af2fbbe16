import type { VisitValues } from '../src/store/velocity/velocity-state.ts'
import {
  OWN_COUNTER,
  type VelocityCounts,
  type VelocitySubject,
  type WindowCounts,
} from '../src/visit/velocity.ts'

/** For tests and benchmarks: counts by the documented definition, from a list of all visits. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const WINDOWS = {
  m5: { lengthMs: 5 * MINUTE, grainMs: 5 * SECOND },
  h1: { lengthMs: HOUR, grainMs: MINUTE },
  h24: { lengthMs: 24 * HOUR, grainMs: 15 * MINUTE },
  d7: { lengthMs: 7 * 24 * HOUR, grainMs: 2 * HOUR },
} satisfies Record<keyof WindowCounts, { lengthMs: number; grainMs: number }>

export interface ListedVisit {
  values: VisitValues
  atMs: number
}

export function countsByHand(
  subject: VelocitySubject,
  visits: readonly ListedVisit[],
  askedMs: number,
): VelocityCounts {
  let latestMs = askedMs
  for (const { atMs } of visits) latestMs = Math.max(latestMs, atMs)
  const nowMs = floorTo(latestMs, 5 * SECOND)
  const inWindow = (name: keyof WindowCounts): ListedVisit[] => {
    const { lengthMs, grainMs } = WINDOWS[name]
    const fromMs = floorTo(nowMs - lengthMs, grainMs)
    return visits.filter(({ atMs }) => atMs >= fromMs)
  }
  const listed = { m5: inWindow('m5'), h1: inWindow('h1'), h24: inWindow('h24'), d7: inWindow('d7') }
  const each = (count: (some: readonly ListedVisit[]) => number): WindowCounts => ({
    m5: count(listed.m5),
    h1: count(listed.h1),
    h24: count(listed.h24),
    d7: count(listed.d7),
  })
  const different = (counter: keyof VisitValues): WindowCounts =>
    OWN_COUNTER[subject] === counter
      ? each((some) => Math.min(1, some.length))
      : each((some) => new Set(some.flatMap(({ values }) => values[counter] ?? [])).size)
  return {
    visits: each((some) => some.length),
    devices: different('devices'),
    accounts: different('accounts'),
    addresses: different('addresses'),
    countries: different('countries'),
    cookies: different('cookies'),
  }
}

const floorTo = (value: number, grain: number): number => Math.floor(value / grain) * grain
