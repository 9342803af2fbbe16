import { chanceOf } from './chance.ts'
import type { VisitState } from './device.ts'
import { networksOf } from './networks.ts'
import type { Operator } from './operator.ts'
import { type Person, peopleOf } from './people.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 5, 1)
const HORIZON_DAYS = 120
const VISITS_MEAN = 9.4

/** A visit with the truth about it. */
export interface Visit extends VisitState {
  atMs: number
  /** Index of the device that it is from. */
  device: number
  cohort: Person['device']['cohort']
  /** The device's n-th visit, from 0. */
  ordinal: number
  cookieLost: boolean
}

/** Every visit of a population in the order of time. The visit object is valid until the next is taken. */
export function* visitsOf(devices: number, seed: number, operators: readonly Operator[]): Generator<Visit> {
  const chance = chanceOf(seed)
  const networks = networksOf(chance)
  const nextPerson = peopleOf(chance, networks)
  const people = Array.from({ length: devices }, () => nextPerson())
  const lastAt = new Float64Array(devices)
  const counts = new Uint32Array(devices)

  for (const { at, device: index } of schedule(devices, seed)) {
    const person = people[index]
    if (!person) continue
    const { device } = person
    const ordinal = counts[index] ?? 0
    const cookieBefore = device.cookieId
    if (ordinal > 0) {
      const days = (at - (lastAt[index] ?? at)) / DAY_MS
      for (const operator of operators) operator.evolve?.(person, days, chance, networks)
    }
    const visit: VisitState = {
      cookieId: device.cookieId,
      hardware: device.hardware,
      software: device.software,
      preferences: device.preferences,
      address: chance.pickWeighted(device.habits.places).address(),
      noise: device.software.browser === 'Brave',
      insecure: false,
      hidden: false,
    }
    for (const operator of operators) operator.visit?.(visit, device, chance, networks)
    lastAt[index] = at
    counts[index] = ordinal + 1
    yield {
      ...visit,
      atMs: Math.floor(at),
      device: index,
      cohort: device.cohort,
      ordinal,
      cookieLost: ordinal > 0 && visit.cookieId !== cookieBefore,
    }
  }
}

/** When each device comes: at first any time, then with gaps from minutes to weeks. */
function schedule(devices: number, seed: number): { at: number; device: number }[] {
  const chance = chanceOf(seed ^ 0x5eed)
  const planned: { at: number; device: number }[] = []
  for (let device = 0; device < devices; device++) {
    let at = chance.number() * HORIZON_DAYS * 0.75
    const visits = 1 + Math.floor(chance.exponential(VISITS_MEAN))
    const gapDays = (HORIZON_DAYS - at) / (visits + 1)
    for (let visit = 0; visit < visits; visit++) {
      planned.push({ at: START_MS + at * DAY_MS, device })
      at += chance.happens(0.2) ? chance.exponential(0.05) : chance.exponential(gapDays)
      if (at > HORIZON_DAYS) break
    }
  }
  return planned.sort((a, b) => a.at - b.at)
}
