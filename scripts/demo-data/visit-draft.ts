import type { Chance } from '../../bench/identity/population/chance.ts'
import type { VisitState } from '../../bench/identity/population/device.ts'
import type { Person } from '../../bench/identity/population/people.ts'
import type { PlannedVisit } from './planned-visit.ts'

/** A device's state at a visit from an address, before anything special happens to it. */
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

/** A whole visit of one from which only what matters is known. */
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

/** A name for an account that tells nothing of its owner, as a site hands it over. */
export const accountName = (chance: Chance): string => `u_${chance.uuid().slice(-10)}`
