import type { DeviceProfile } from '../visit/known-device.ts'

/** Keys lie beside the rest: they are half of a profile, and as text they would be twice as long. */
export const encodeProfile = ({
  keys,
  ...profile
}: DeviceProfile): { profile: string; keys: Uint8Array } => ({
  profile: JSON.stringify(profile),
  keys: new Uint8Array(Float64Array.from(keys).buffer),
})

export const decodeProfile = (profile: string, keys: Uint8Array): DeviceProfile => ({
  mergedInto: undefined,
  fonts: undefined,
  ...(JSON.parse(profile) as Omit<DeviceProfile, 'keys' | 'mergedInto' | 'fonts'>),
  // A copy, as numbers must lie on multiples of eight bytes.
  keys: [...new Float64Array(Uint8Array.from(keys).buffer)],
})
