import { providerOf } from '../linker-input.ts'
import { COUNTRIES } from '../population/countries.ts'
import type { Cohort, Place } from '../population/device.ts'
import type { Home, Networks } from '../population/networks.ts'
import type { Person } from '../population/people.ts'
import type { Circumstances, Visit } from '../population/visits.ts'
import { type Look, languageOdds, lookOdds, newPreferenceOdds, TRAVELS } from './look-odds.ts'
import { marketOf } from './market.ts'
import { type Operators, rankOdds, returnRate, unknownCookieOdds, within } from './rates.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 5, 1)

interface Known {
  person: Person
  /** As it was at its first visit, and after the last one. */
  first: Look
  last: Look
  firstDay: number
  lastDay: number
  visits: number
  profileSeen: boolean
  providers: Set<number>
}

export interface Verdict {
  /** The likeliest device, and its probability. */
  device: number | undefined
  probability: number
  /** That device never used the visit's provider. */
  isForeign: boolean
}

/**
 * A judge who knows the rates of the population, and after each visit whose it was. No linker knows as much, so none
 * does better at each single decision.
 */
export function oracle(circumstances: Circumstances, operators: Operators) {
  const { horizonDays, arrivalDays, visitsMean, society } = circumstances
  const marketOdds = marketOf(society)
  const known = new Map<number, Known>()
  const buckets = new Map<string, Known[]>()
  /** Who is still to come, by the home or the office that they share. */
  const awaited = new Map<Place, number>()
  const colleague = new Map<Place, Known>()
  const cohorts = new Map<Cohort, number>()
  const neighbours = new Map<number, Person[]>()
  let networks: Networks | undefined
  let unseen = 0

  const inhabited = COUNTRIES.filter(({ code }) => society.countries?.includes(code) ?? true)
  const countries = inhabited.map((country, rank) => ({
    index: COUNTRIES.indexOf(country),
    zone: country.zone,
    share: rankOdds(rank, inhabited.length, 1.1),
  }))
  const [atHome, onCarrier] = society.mobile ?? [0.55, 0.37]

  const officeOf = ({ device }: Person): Place | undefined =>
    device.cohort === 'fleet' ? device.habits.places[0]?.[0] : undefined
  const bucketOf = ({ hardware, software }: Pick<Visit, 'hardware' | 'software'>): string =>
    `${hardware.system} ${software.browser} ${hardware.touchPoints} ${hardware.architecture} ${software.browser === 'Firefox' ? '' : hardware.cores}`

  function meet(people: readonly Person[], all: Networks): void {
    networks = all
    unseen = people.length
    for (const [index, person] of people.entries()) {
      const place = officeOf(person) ?? person.home
      awaited.set(place, (awaited.get(place) ?? 0) + 1)
      cohorts.set(person.device.cohort, (cohorts.get(person.device.cohort) ?? 0) + 1)
      neighbours.set(
        index,
        [people[index - 1], people[index + 1]].filter((other) => other?.home === person.home) as Person[],
      )
    }
  }

  function travelOdds(address: string, zone: string): number {
    return COUNTRIES.reduce(
      (sum, country, index) =>
        country.zone === zone
          ? sum +
            rankOdds(index, COUNTRIES.length, 0.7) * (networks?.oddsIn?.(index, 'elsewhere', address) ?? 0)
          : sum,
      0,
    )
  }

  /** Where a known device is, and in which time zone. */
  function placeOdds({ person, last }: Known, visit: Visit, days: number, travel: number): number {
    const { device, home } = person
    const zone = last.preferences.timezone
    const isVpn = operators.has('VPN') && device.index % 12 === 0 && visit.address.startsWith('185.65.134.')
    if (isVpn) return zone === visit.preferences.timezone ? 0.5 / 20 : 0
    const renewed =
      1 -
      (1 - within(days, home.six && operators.has('IPv6 renewal') ? 3 : 1e9)) *
        (1 - within(days, device.home.country % 7 === 0 ? 4 : 70))
    const there = device.habits.places.reduce((sum, [place, weight]) => {
      const now = place.odds?.(visit.address) ?? 0
      const after = 'renewedOdds' in place ? (place as Home).renewedOdds?.(visit.address) : undefined
      return sum + weight * (after === undefined ? now : (1 - renewed) * now + renewed * after)
    }, 0)
    return (zone === visit.preferences.timezone ? (1 - TRAVELS) * there : 0) + TRAVELS * travel
  }

  function oddsOf(one: Known, visit: Visit, day: number, travel: number): number {
    const days = day - one.lastDay
    const place = placeOdds(one, visit, days, travel)
    if (place === 0) return 0
    const look = lookOdds(one.last, visit, days, operators)
    if (look === 0) return 0
    const habit = { index: one.last.index, cohort: one.last.cohort, browser: one.last.software.browser }
    return (
      place *
      look *
      unknownCookieOdds(operators, habit, days, { noise: visit.noise, profileSeen: one.profileSeen }) *
      returnRate(days, one.visits, horizonDays - one.firstDay, visitsMean)
    )
  }

  /** Rate at which new devices come that look like this from here. */
  function newOdds(visit: Visit, day: number, candidates: readonly Known[], travel: number): number {
    if (!networks?.oddsIn || day >= arrivalDays || unseen === 0) return 0
    const { oddsIn } = networks
    const { address, preferences } = visit
    let sum = 0
    const ofMarket = new Map<Cohort, number>()
    const market = (cohort: Cohort): number => {
      const odds = ofMarket.get(cohort) ?? marketOdds(cohort, visit)
      ofMarket.set(cohort, odds)
      return odds
    }
    const [own, fleet] = [newPreferenceOdds(visit, false), newPreferenceOdds(visit, true)]
    const personal = [...cohorts].filter(([cohort]) => cohort !== 'fleet')
    const people = personal.reduce((total, [, count]) => total + count, 0)
    const employees = cohorts.get('fleet') ?? 0
    for (const { index, zone, share } of countries) {
      const here = zone === preferences.timezone ? share * languageOdds(index, preferences.languages) : 0
      if (here === 0) continue
      const home = oddsIn(index, 'home', address)
      const carrier = oddsIn(index, 'carrier', address)
      const elsewhere = oddsIn(index, 'elsewhere', address)
      for (const [cohort, count] of personal) {
        const mobile = cohort === 'android' || cohort === 'phone'
        const place = mobile
          ? atHome * home + onCarrier * carrier + 0.08 * elsewhere
          : 0.9 * home + 0.03 * carrier + 0.07 * elsewhere
        sum += count * here * place * market(cohort) * own
      }
      const place =
        society.officeShare * oddsIn(index, 'office', address) +
        (0.92 - society.officeShare) * home +
        0.04 * (carrier + elsewhere)
      sum += employees * here * place * market('fleet') * fleet
    }
    // Members of a household that is known, and colleagues of a known image.
    for (const { person, first } of new Set(candidates)) {
      const place = officeOf(person)
      const left = awaited.get(place ?? person.home) ?? 0
      if (left === 0 || place) continue
      const at = atHome * (person.home.odds?.(address) ?? 0)
      if (at === 0) continue
      const twin = (neighbours.get(first.index) ?? []).filter(
        (other) => !known.has(other.device.index),
      ).length
      const { cohort, preferences: theirs } = first
      const languages = 0.85 * Number(theirs.languages.join() === preferences.languages.join()) + 0.05
      const stranger =
        people === 0 ? 0 : personal.reduce((total, [one, count]) => total + (count / people) * market(one), 0)
      const same = lookOdds({ ...first, cohort, preferences }, visit, 0, operators)
      sum += at * own * languages * (twin * society.twins * same + left * (1 - society.twins) * stranger)
    }
    for (const [office, { first, person }] of colleague) {
      const left = awaited.get(office) ?? 0
      if (left === 0 || bucketOf(first) !== bucketOf(visit)) continue
      const country = person.device.home.country
      const place =
        society.officeShare * (office.odds?.(address) ?? 0) +
        (0.92 - society.officeShare) * oddsIn(country, 'home', address) +
        0.04 * (oddsIn(country, 'carrier', address) + oddsIn(country, 'elsewhere', address))
      if (place === 0 || first.preferences.timezone !== preferences.timezone) continue
      if (first.preferences.languages.join() !== preferences.languages.join()) continue
      const habits = { ...first.habits, dock: undefined }
      sum += left * place * fleet * lookOdds({ ...first, preferences, habits }, visit, 0, operators)
    }
    return sum / (arrivalDays - day) + travel * 1e-12
  }

  function judge(visit: Visit): Verdict {
    const day = (visit.atMs - START_MS) / DAY_MS
    const candidates = buckets.get(bucketOf(visit)) ?? []
    const travel = travelOdds(visit.address, visit.preferences.timezone)
    let [best, most, total] = [undefined as Known | undefined, 0, 1e-300]
    for (const one of candidates) {
      const odds = oddsOf(one, visit, day, travel)
      total += odds
      if (odds > most) [best, most] = [one, odds]
    }
    total += newOdds(visit, day, candidates, travel)
    const isForeign = visit.provider && best?.providers.has(providerOf(visit.address)) === false
    return { device: best?.last.index, probability: most / total, isForeign }
  }

  function learn(visit: Visit): void {
    const day = (visit.atMs - START_MS) / DAY_MS
    const { device } = visit.person
    const last: Look = { ...device }
    const before = known.get(visit.device)
    const profileSeen = (before?.profileSeen ?? false) || visit.otherCookie === true
    before?.providers.add(providerOf(visit.address))
    if (before) {
      Object.assign(before, { last, lastDay: day, visits: before.visits + 1, profileSeen })
      return
    }
    const one: Known = {
      person: visit.person,
      first: last,
      last,
      firstDay: day,
      lastDay: day,
      visits: 1,
      profileSeen,
      providers: new Set([providerOf(visit.address)]),
    }
    known.set(visit.device, one)
    const bucket = bucketOf(visit)
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), one])
    unseen -= 1
    cohorts.set(device.cohort, (cohorts.get(device.cohort) ?? 1) - 1)
    const office = officeOf(visit.person)
    awaited.set(office ?? visit.person.home, (awaited.get(office ?? visit.person.home) ?? 1) - 1)
    if (office && !colleague.has(office)) colleague.set(office, one)
  }

  return { meet, judge, learn }
}
