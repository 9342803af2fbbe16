import type { DeviceProfile } from '../visit/known-device.ts'
import type { Comparison } from './compare.ts'
import { COMPONENTS, type ComponentName, type Components } from './components.ts'

/** A machine has these for life; the screen, which comes and goes with a dock, is not among them. */
const FOR_LIFE = (Object.keys(COMPONENTS) as ComponentName[]).filter(
  (name) => COMPONENTS[name].class === 'hardware' && name !== 'screen',
)

/** So many at once, and the cookie was carried to another machine or the browser lies about this one. */
const OTHER_MACHINE_MIN = 2

/** Hardware that is not what it was when the device was last seen. */
export const hardwareFlips = (comparison: Comparison): ComponentName[] =>
  FOR_LIFE.filter((name) => comparison.changes[name] === 'changed')

/** Whether a known cookie came with another machine or another browser than the one it was given to. */
export function isCarriedOver(
  profile: DeviceProfile,
  components: Components,
  flips: readonly ComponentName[],
): boolean {
  const otherFamily = profile.family !== components.family
  return flips.length >= (otherFamily ? 1 : OTHER_MACHINE_MIN)
}
