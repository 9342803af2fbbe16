import type { DeviceProfile } from '../known-device.ts'

/** A private window may stay open for hours beside the ordinary one. */
const APART_MS = 12 * 3_600_000

/**
 * Whether a cookie that was once taken for this device's proves to be another machine's: it lives on in
 * turns with an older one, and each of the two comes from places where the other is not. A cleared cookie
 * never comes back, a private window's lives for hours, and two profiles on one machine share its places.
 * @param address that the cookie comes from now
 */
export function isAnotherMachine(
  { cookies }: DeviceProfile,
  cookie: number,
  address: number | undefined,
  atMs: number,
): boolean {
  const own = cookies.find(({ key }) => key === cookie)
  if (!own || address === undefined || atMs - own.firstAtMs < APART_MS) return false
  const places = [address, ...own.addresses]
  return cookies.some(
    (other) =>
      other.firstAtMs < own.firstAtMs &&
      other.lastAtMs > own.lastAtMs &&
      places.some((place) => !other.addresses.includes(place)) &&
      other.addresses.some((place) => !places.includes(place)),
  )
}

/** Cookies that live on beside an older one of the device, and come from elsewhere: others may be among them. */
export const strangersAmong = ({ cookies }: DeviceProfile): number =>
  cookies.filter((cookie) =>
    cookies.some(
      (older) =>
        older.firstAtMs < cookie.firstAtMs &&
        older.lastAtMs > cookie.firstAtMs &&
        !cookie.addresses.some((address) => older.addresses.includes(address)),
    ),
  ).length
