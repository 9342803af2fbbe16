import type { Chance } from '../../bench/identity/population/chance.ts'
import type { VisitState } from '../../bench/identity/population/device.ts'
import type { Person } from '../../bench/identity/population/people.ts'
import type { PlannedVisit } from './planned-visit.ts'

/** The state of a device at a visit from an address, before a scenario changes it. */
export const stateOf = ({ device }: Person, address: string): VisitState => ({
  cookieId: device.cookieId,
  hardware: device.hardware,
  software: device.software,
  preferences: device.preferences,
  address,
  noise: device.software.browser === 'Brave',
  insecure: false,
  hidden: false,
})

type Draft = Pick<PlannedVisit, 'atMs' | 'state' | 'landing'> &
  Partial<Omit<PlannedVisit, 'atMs' | 'state' | 'landing'>>

/** Completes a partial visit with defaults. */
export const visitOf = ({ state, ...given }: Draft, chance: Chance): PlannedVisit => ({
  requestId: chance.uuid(),
  actor: 'ordinary',
  userHid: 'anonymous',
  sessionId: chance.uuid(),
  cookieId: state.cookieId,
  address: state.address,
  checkedAddress: state.address,
  visitorOf: undefined,
  ...given,
  state,
})

/** An account name as a site passes it, without personal data. */
export const accountName = (chance: Chance): string => `u_${chance.uuid().slice(-10)}`
