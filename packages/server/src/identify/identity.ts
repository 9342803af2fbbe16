import { uuidV5 } from '../lib/uuid.ts'
import type { DecisionOutcome, IdentityDecision, KeyHistory } from '../visit/identification.ts'
import type { DeviceProfile, KeyMatch } from '../visit/known-device.ts'
import { agrees, type Comparison } from './compare.ts'
import { COMPONENTS, type ComponentName, type Components, type Visit } from './components.ts'
import { isAnotherVisitor } from './cookie-history.ts'
import { type Keys, machineKey } from './keys.ts'

/** A visit on its way to a device. */
export interface Case {
  visit: Visit
  components: Components
  keys: Keys
  cookie: number | undefined
  /** The key pair that the browser proved to have. */
  deviceKey: number | undefined
  /** Grows with each look-up. */
  matches: Map<number, KeyMatch>
  /** Empty, but random once the ID of a new device proved to be taken. */
  salt: string
}

/**
 * The ID of the n-th device with these facts at this address. Two processes that see it first at the same time derive
 * the same ID, and the database takes only one of them. The other process then finds the device. It does not where the
 * two are clones, and then `salt` keeps it from an ID that the next process derives as well.
 */
export function newDeviceId({ visit, components, keys, cookie, matches, salt }: Case): string {
  const machine = machineKey(keys)
  // With too few facts for a look-up, only the cookie identifies a device.
  const facts = machine ?? `${JSON.stringify(components.values)} ${cookie}`
  const ordinal = matches.get(machine ?? keys.counted.family ?? 0)?.devices ?? 0
  return uuidV5(
    visit.domain.namespace,
    `device ${components.family} ${facts} ${visit.address} ${ordinal}${salt}`,
  )
}

/** The visitor of the device, or another one where the cookie proves to be somebody else’s. */
export function visitorIdOf(
  { visit, components, cookie }: Case,
  deviceId: string,
  profile: DeviceProfile | undefined,
): string {
  const { namespace } = visit.domain
  const ofDevice = profile?.visitorId ?? uuidV5(namespace, `visitor of ${deviceId}`)
  if (!profile || cookie === undefined) return ofDevice
  const own = profile.cookies.find(({ key }) => key === cookie)?.visitorId ?? ofDevice
  const isStranger =
    own === ofDevice && isAnotherVisitor(profile, cookie, components.values.languages, visit.atMs)
  return isStranger ? uuidV5(namespace, `visitor of ${deviceId} ${cookie}`) : own
}

interface Reasons extends Pick<Case, 'components' | 'keys' | 'matches'> {
  outcome: DecisionOutcome
  /** From 0 to 1. */
  confidence: number
  /** With the device that was chosen, or else the likeliest one; undefined when there was none. */
  comparison: Comparison | undefined
  candidates: number
  hardwareFlips: readonly ComponentName[]
  isOtherFamily: boolean
  isByLook: boolean
  merged: string | undefined
  separatedFrom: string | undefined
  keyHistory: KeyHistory | undefined
}

/** Why a visit got its device: what agreed and how rare that is, what changed, what could not be compared. */
export function explain(reasons: Reasons): IdentityDecision {
  const { components, comparison, keys, matches } = reasons
  const names = Object.keys(COMPONENTS) as ComponentName[]
  const changes = comparison?.changes ?? {}
  const count = (key: number | undefined) => (key === undefined ? 0 : (matches.get(key)?.devices ?? 0))
  const machine = machineKey(keys)
  return {
    outcome: reasons.outcome,
    confidence: Math.round(reasons.confidence * 1_000) / 1_000,
    agreed: names.filter((name) => agrees(changes[name] ?? 'absent')),
    changed: names.filter((name) => changes[name] === 'changed'),
    absent: names.filter((name) => components.values[name] === undefined),
    clones: count(machine),
    devices: count(keys.counted.family),
    candidates: reasons.candidates,
    hardwareFlips: [...reasons.hardwareFlips],
    ...(reasons.isOtherFamily && { isOtherFamily: true }),
    ...(isOtherVersion(comparison) && { isOtherVersion: true }),
    ...(reasons.isByLook && { isByLook: true }),
    merged: reasons.merged,
    separatedFrom: reasons.separatedFrom,
    keyHistory: reasons.keyHistory,
  }
}

const isOtherVersion = (comparison: Comparison | undefined): boolean =>
  comparison?.version === 'newer' || comparison?.version === 'older'
