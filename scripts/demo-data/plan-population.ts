import type { Chance } from '../../bench/identity/population/chance.ts'
import { COUNTRIES } from '../../bench/identity/population/countries.ts'
import type { Networks } from '../../bench/identity/population/networks.ts'
import type { Operator } from '../../bench/identity/population/operator.ts'
import type { Person } from '../../bench/identity/population/people.ts'
import type { AddressPool } from './address-pool.ts'
import { demoLanding } from './demo-landing.ts'
import type { DemoLists } from './demo-lists.ts'
import type { Actor, PlannedVisit } from './planned-visit.ts'
import { accountName, stateOf, visitOf } from './visit-draft.ts'
import { DAY_MS, momentOf } from './visit-rhythm.ts'

export interface Stage {
  chance: Chance
  networks: Networks
  pool: AddressPool
  demo: DemoLists
  /** The next person who buys a device. */
  nextPerson(): Person
  operators: readonly Operator[]
  host: string
  /** Midnight of the first day in UTC, and the end of the period. */
  firstDayMs: number
  endMs: number
}

interface Citizen {
  person: Person
  actor: Actor
  account: string | undefined
  lastAtMs: number | undefined
  /** The addresses that a VPN, an attack network or a data center shows instead of the real one. */
  exits: readonly string[]
}

interface Session {
  citizen: Citizen
  atMs: number
}

/** Shares of devices; the rest is ordinary. */
const ACTORS: readonly (readonly [Actor, number])[] = [
  ['automation', 0.006],
  ['vpn', 0.014],
  ['tor', 0.003],
  ['datacenter', 0.005],
  ['antidetect', 0.004],
  ['incognito', 0.012],
  ['abuser', 0.002],
  ['mover', 0.006],
  ['ordinary', 0.948],
]
const ACCOUNT_SHARE = 0.5
/** Share of people who use their account on a second device. */
const SECOND_DEVICE_SHARE = 0.12
const EARLIER_SHARE = 0.7
const SESSIONS_MEAN = 2.2
const VISITS_IN_SESSION = [
  [1, 0.5],
  [2, 0.3],
  [3, 0.13],
  [5, 0.07],
] as const
const IN_FRONT_OF_LOGIN = 0.35

/** A month of new and returning people, in order of time. */
export function planPopulation(count: number, stage: Stage): PlannedVisit[] {
  const { chance } = stage
  const sessions: { session: Session; visits: number }[] = []
  let planned = 0
  let previous: Citizen | undefined
  while (planned < count) {
    const citizen = newCitizen(stage, previous)
    if (citizen.account !== undefined) previous = citizen
    for (const atMs of sessionTimes(citizen, stage)) {
      const visits = Math.min(count - planned, chance.pickWeighted(VISITS_IN_SESSION))
      if (visits > 0) sessions.push({ session: { citizen, atMs }, visits })
      planned += visits
    }
  }
  sessions.sort((a, b) => a.session.atMs - b.session.atMs)
  return sessions.flatMap(({ session, visits }) => planSession(session, visits, stage))
}

function newCitizen({ chance, nextPerson, demo, pool }: Stage, previous: Citizen | undefined): Citizen {
  const person = nextPerson()
  const actor = chance.pickWeighted(ACTORS)
  const code = COUNTRIES[person.device.home.country]?.code ?? 'US'
  const second =
    previous?.person.device.home.country === person.device.home.country && chance.happens(SECOND_DEVICE_SHARE)
  const own = chance.happens(ACCOUNT_SHARE) ? accountName(chance) : undefined
  return {
    person,
    actor,
    account: second ? previous?.account : own,
    lastAtMs: undefined,
    exits: exitsOf(actor, code),
  }

  function exitsOf(kind: Actor, home: string): string[] {
    if (kind === 'vpn') return [chance.pick(demo.vpn), chance.pick(demo.vpn)]
    if (kind === 'tor') return [...demo.tor]
    if (kind === 'abuser') return [chance.pick(demo.abuser)]
    if (kind === 'datacenter' || kind === 'automation') return [pool.draw('hosting', home, chance)]
    return []
  }
}

/** The first visit is at any time, the others follow after hours to weeks, at times when people are awake. */
function sessionTimes({ person, actor }: Citizen, { chance, firstDayMs, endMs }: Stage): number[] {
  const days = Math.ceil((endMs - firstDayMs) / DAY_MS)
  const offset = COUNTRIES[person.device.home.country]?.offsetMinutes ?? 0
  const busy = actor === 'automation' ? 4 : 1
  const sessions = 1 + Math.floor(chance.exponential(SESSIONS_MEAN * busy))
  const times: number[] = []
  // Many first visits were before the month, so that the site does not start empty.
  let day = (chance.number() * (1 + EARLIER_SHARE) - EARLIER_SHARE) * days
  for (let session = 0; session < sessions && day < days; session++) {
    const atMs = day < 0 ? undefined : momentOf(firstDayMs + Math.floor(day) * DAY_MS, offset, chance)
    if (atMs !== undefined && atMs < endMs) times.push(atMs)
    day += chance.exponential(days / (sessions + 1))
  }
  return times.sort((a, b) => a - b)
}

/** One session on the site: it may start anonymously and log in later. */
function planSession({ citizen, atMs }: Session, visits: number, stage: Stage): PlannedVisit[] {
  const { chance, networks, operators, host, endMs } = stage
  const { person, actor, account, exits } = citizen
  if (citizen.lastAtMs !== undefined)
    for (const { evolve } of operators) evolve?.(person, (atMs - citizen.lastAtMs) / DAY_MS, chance, networks)
  citizen.lastAtMs = atMs
  const own = chance.pickWeighted(person.device.habits.places).address()
  const state = stateOf(person, exits.length > 0 ? chance.pick(exits) : own)
  if (exits.length === 0) for (const { visit } of operators) visit?.(state, person.device, chance, networks)
  const sessionId = chance.uuid()
  const honest = actor === 'ordinary' || actor === 'incognito' || actor === 'mover'
  const landing = demoLanding(host, honest, chance)
  const named = chance.happens(IN_FRONT_OF_LOGIN) ? 1 : 0
  // The network check bypasses a VPN in the browser, but not a VPN of the whole system.
  const checked = exits.length > 0 && chance.happens(0.3) ? own : state.address
  const checkedAddress = chance.happens(0.85) ? checked : undefined
  return Array.from({ length: visits }, (_, index) => index).flatMap((index) => {
    const at = atMs + Math.floor(index * (20_000 + chance.exponential(150_000)))
    if (at >= endMs) return []
    const userHid = account !== undefined && index >= named ? account : 'anonymous'
    return [visitOf({ atMs: at, actor, userHid, sessionId, state, landing, checkedAddress }, chance)]
  })
}
