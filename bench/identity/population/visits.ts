import { type Chance, chanceOf } from './chance.ts'
import type { VisitState } from './device.ts'
import { type Addresses, type Networks, networksOf, REFERENCE_ADDRESSES } from './networks.ts'
import type { Operator } from './operator.ts'
import { type Person, peopleOf, REFERENCE_SOCIETY, type Society } from './people.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 5, 1)

/** When devices come, who has them and through which networks. */
export interface Circumstances {
  horizonDays: number
  visitsMean: number
  /** Each device comes for the first time within so many days. */
  arrivalDays: number
  society: Society
  addresses: Addresses
  /** Whether the provider of an address is known, and the reading of private windows arrives after the visit. */
  evidence: boolean
}

/** Those of the first population. Its figures are comparable over releases, so they never change. */
export const REFERENCE: Circumstances = {
  horizonDays: 120,
  visitsMean: 9.4,
  arrivalDays: 90,
  society: REFERENCE_SOCIETY,
  addresses: REFERENCE_ADDRESSES,
  evidence: false,
}

/** A visit with the truth about it. */
export interface Visit extends VisitState {
  atMs: number
  /** Index of the device that it is from. */
  device: number
  /** Whose it is, as they are after the visit. */
  person: Person
  cohort: Person['device']['cohort']
  /** The device's n-th visit, from 0. */
  ordinal: number
  cookieLost: boolean
  /** What the agent reports after the visit of its window; undefined where it does not know. */
  privateWindow: boolean | undefined
  /** Whether the provider of the address is known. */
  provider: boolean
}

/** Chromium's measure often says nothing; the other browsers refuse files in private windows. */
const toldPrivate = ({ hidden, software }: VisitState, chance: Chance): boolean | undefined =>
  software.browser === 'Safari' || software.browser === 'Firefox' || chance.happens(0.8) ? hidden : undefined

/**
 * Every visit of a population in the order of time. The visit object is valid until the next is taken.
 * @param meet is told of everybody before the first visit
 */
export function* visitsOf(
  devices: number,
  seed: number,
  operators: readonly Operator[],
  circumstances: Circumstances = REFERENCE,
  meet: (people: readonly Person[], networks: Networks) => void = () => undefined,
): Generator<Visit> {
  const chance = chanceOf(seed)
  const networks = networksOf(chance, circumstances.addresses)
  const nextPerson = peopleOf(chance, networks, circumstances.society)
  const people = Array.from({ length: devices }, () => nextPerson())
  meet(people, networks)
  const lastAt = new Float64Array(devices)
  const counts = new Uint32Array(devices)

  const others = new Set<string>()

  for (const { at, device: index } of schedule(devices, seed, circumstances)) {
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
    const known = visit.otherCookie ? others.has(visit.cookieId) : visit.cookieId === cookieBefore
    if (visit.otherCookie) others.add(visit.cookieId)
    yield {
      ...visit,
      atMs: Math.floor(at),
      device: index,
      person,
      cohort: device.cohort,
      ordinal,
      cookieLost: ordinal > 0 && !known,
      privateWindow: circumstances.evidence ? toldPrivate(visit, chance) : undefined,
      provider: circumstances.evidence,
    }
  }
}

/** When each device comes: at first any time, then with gaps from minutes to weeks. */
function schedule(
  devices: number,
  seed: number,
  { horizonDays, visitsMean, arrivalDays }: Circumstances,
): { at: number; device: number }[] {
  const chance = chanceOf(seed ^ 0x5eed)
  const planned: { at: number; device: number }[] = []
  for (let device = 0; device < devices; device++) {
    let at = chance.number() * arrivalDays
    const visits = 1 + Math.floor(chance.exponential(visitsMean))
    const gapDays = (horizonDays - at) / (visits + 1)
    for (let visit = 0; visit < visits; visit++) {
      planned.push({ at: START_MS + at * DAY_MS, device })
      at += chance.happens(0.2) ? chance.exponential(0.05) : chance.exponential(gapDays)
      if (at > horizonDays) break
    }
  }
  return planned.sort((a, b) => a.at - b.at)
}
