import type { Person } from '../../bench/identity/population/people.ts'
import { demoLanding } from './demo-landing.ts'
import type { Stage } from './plan-population.ts'
import type { PlannedVisit } from './planned-visit.ts'
import { accountName, stateOf, visitOf } from './visit-draft.ts'
import { DAY_MS } from './visit-rhythm.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Plans the visits of one scenario, which ends shortly before `endMs`. */
type Scenario = (stage: Stage, endMs: number) => PlannedVisit[]

interface Visit {
  person: Person
  atMs: number
  address?: string
  userHid?: string
  cookieId?: string
  checkedAddress?: string
  visitorOf?: string
}

/** One simple scenario per pattern of abuse. */
export const ABUSE_SCENARIOS = {
  manyAccountsOnOneDevice(stage, endMs) {
    const person = stage.nextPerson()
    return times(16, (index) =>
      visit(stage, { person, atMs: endMs - index * 40 * MINUTE_MS, userHid: account(stage) }),
    )
  },

  manyDevicesOnOneAccount(stage, endMs) {
    const userHid = account(stage)
    return times(14, (index) =>
      visit(stage, { person: stage.nextPerson(), atMs: endMs - index * 5 * HOUR_MS, userHid }),
    )
  },

  /** One account with a new cookie on each visit, and sometimes a new machine. */
  changingIdsOnOneAccount(stage, endMs) {
    const userHid = account(stage)
    const address = home(stage, 'PL')
    let person = stage.nextPerson()
    return times(18, (index) => {
      if (index % 3 === 0) person = stage.nextPerson()
      const cookieId = stage.chance.uuid()
      return visit(stage, { person, atMs: endMs - index * 25 * MINUTE_MS, userHid, address, cookieId })
    })
  },

  /**
   * A farm on one internet connection: the network check sees its address, the site sees the exits of a
   * carrier.
   */
  manyAccountsOnOneLocalIp(stage, endMs) {
    const checkedAddress = home(stage, 'TR')
    const phones = times(3, () => stage.nextPerson())
    return times(18, (index) =>
      visit(stage, {
        person: phones[index % phones.length] ?? stage.nextPerson(),
        atMs: endMs - index * 30 * MINUTE_MS,
        address: stage.pool.draw('mobile', 'TR', stage.chance),
        userHid: account(stage),
        checkedAddress,
      }),
    )
  },

  severalCountriesOnOneAccountInADay(stage, endMs) {
    const person = stage.nextPerson()
    const userHid = account(stage)
    return ['DE', 'BR', 'JP', 'US', 'IN'].flatMap((code, index) =>
      times(2, (again) =>
        visit(stage, {
          person,
          atMs: endMs - (index * 3 * 60 + again * 20) * MINUTE_MS,
          address: home(stage, code),
          userHid,
        }),
      ),
    )
  },

  manyDevicesOnOneVisitor(stage, endMs) {
    const visitorOf = `visitor ${stage.chance.uuid()}`
    return times(12, (index) =>
      visit(stage, { person: stage.nextPerson(), atMs: endMs - index * 2 * HOUR_MS, visitorOf }),
    )
  },

  /**
   * Each account has its own device and public address, and all share one internet connection behind
   * them.
   */
  sharedLocalIpAcrossAccounts(stage, endMs) {
    const checkedAddress = home(stage, 'RO')
    const tunnels = stage.demo.vpn
    const start = stage.chance.below(tunnels.length)
    return times(14, (index) => {
      const first = visit(stage, {
        person: stage.nextPerson(),
        atMs: endMs - index * HOUR_MS,
        address: tunnels[(start + index) % tunnels.length] ?? checkedAddress,
        userHid: account(stage),
        checkedAddress,
      })
      return [first, { ...first, requestId: stage.chance.uuid(), atMs: first.atMs - 5 * MINUTE_MS }]
    }).flat()
  },

  /** An account with a history, then used by somebody else far away. */
  newDeviceAndNewCountryOnOneAccount(stage, endMs) {
    const owner = stage.nextPerson()
    const userHid = account(stage)
    const address = home(stage, 'SE')
    const known = times(8, (index) =>
      visit(stage, { person: owner, atMs: endMs - (2 + index * 40) * HOUR_MS, userHid, address }),
    )
    const thief = stage.nextPerson()
    const from = home(stage, 'BR')
    const taken = times(4, (index) =>
      visit(stage, { person: thief, atMs: endMs - index * 15 * MINUTE_MS, userHid, address: from }),
    )
    return [...known, ...taken]
  },
} satisfies Record<string, Scenario>

/** Days before the end over which the scenarios are spread. */
const SPREAD_DAYS = 20

/**
 * Plans each scenario at least once within the last day, and more often with more traffic.
 * @param rounds how often each scenario occurs
 */
export function planAbuse(rounds: number, stage: Stage): PlannedVisit[] {
  const all = Object.values(ABUSE_SCENARIOS) as Scenario[]
  return times(rounds, (round) =>
    all.flatMap((scenario) => {
      const before = HOUR_MS + stage.chance.number() * 3 * HOUR_MS + ((round * 3) % SPREAD_DAYS) * DAY_MS
      return scenario(stage, Math.floor(stage.endMs - before))
    }),
  )
    .flat()
    .filter(({ atMs }) => atMs >= stage.firstDayMs)
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const account = ({ chance }: Stage): string => accountName(chance)
const home = ({ pool, chance }: Stage, code: string): string => pool.draw('residential', code, chance)

function visit(stage: Stage, { person, atMs, address, cookieId, ...given }: Visit): PlannedVisit {
  const state = stateOf(person, address ?? person.home.address())
  const landing = demoLanding(stage.host, false, stage.chance)
  return visitOf(
    { atMs, state, landing, ...given, ...(cookieId !== undefined && { cookieId }) },
    stage.chance,
  )
}
