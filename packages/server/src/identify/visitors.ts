import type { DeviceProfile } from '../visit/known-device.ts'

/** Two people who take turns for less than this may be one who tries another window. */
const APART_MS = 86_400_000
const VISITS_MIN = 3

/**
 * Whether the visitor with this cookie is somebody else than whom the device is known for: both cookies live
 * on in turns, and each has always asked for other languages than the other. A new cookie alone is the same
 * visitor: people clear cookies far more often than they share a machine.
 * @param languages of this visit
 */
export function isAnotherVisitor(
  { cookies }: DeviceProfile,
  cookie: number,
  languages: number | undefined,
  atMs: number,
): boolean {
  const own = cookies.find(({ key }) => key === cookie)
  if (!own || languages === undefined || own.languages !== languages) return false
  if (own.visits + 1 < VISITS_MIN || atMs - own.firstAtMs < APART_MS) return false
  return cookies.some(
    (other) =>
      other.firstAtMs < own.firstAtMs &&
      other.lastAtMs > own.firstAtMs &&
      other.languages !== undefined &&
      other.languages !== languages,
  )
}
