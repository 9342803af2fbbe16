import type { Identified } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { known } from '../known.ts'
import { headerHints } from './header-hints.ts'
import { identityHints } from './identity-hints.ts'
import { nativeHints } from './native-hints.ts'
import { realmHints } from './realm-hints.ts'
import { GROUPS } from './tampering-groups.ts'

/** All that speaks for a browser that pretends to be another one, the strongest first. */
export const tamperingHints = (identified: Identified): Hint[] =>
  [
    ...realmHints(identified.readings),
    ...identityHints(identified),
    ...nativeHints(identified.readings),
    ...headerHints(identified),
    ...permissionHints(identified),
    ...temporalHints(identified),
  ].sort((a, b) => b.points - a.points)

/** A machine may be repaired or its cookies carried to a new one, so this alone convinces nobody. */
function temporalHints({ identity }: Identified): Hint[] {
  const changed = identity.decision?.hardwareFlips ?? []
  if (changed.length === 0) return []
  return [{ name: 'hardware_changed', group: 'temporal', points: GROUPS.temporal, evidence: changed }]
}

/** One state by two ways; browsers that were patched in one of them answer differently. */
function permissionHints({ readings: { permissions, frame } }: Identified): Hint[] {
  const states = known(permissions)
  // In frames of other sites browsers answer the two in ways of their own.
  if (!states || known(frame)?.nested !== false) return []
  const { notifications, notification_api } = states
  if (notification_api !== 'default' || notifications !== 'denied') return []
  return [
    {
      name: 'permission_mismatch',
      group: 'permissions',
      points: GROUPS.permissions,
      evidence: { notifications, notification_api },
    },
  ]
}
