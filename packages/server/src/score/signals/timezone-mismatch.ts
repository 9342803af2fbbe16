import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { offsetOfZone, offsetsOfZones } from '../time-zone-offsets.ts'

/** Neighbouring zones differ by 60 minutes, and people live near borders. */
const GAP_MINUTES_MIN = 120

export const timezoneMismatch = defineSignal({
  name: 'timezone_mismatch',
  title: 'Browser time zone contradicts the address',
  weight: 10,
  flag: 'timezone_mismatch',
  meaning: "The browser's time zone is far from every zone of the address's country.",
  evidence: "The browser's time zone, and the zones of the address's country at the time of the visit.",
  innocentCauses: [
    'a traveller whose laptop keeps the time zone of home',
    'a company network with its internet access in another country',
  ],
  test({ readings: { timezone }, ip, atMs }) {
    if (!timezone.ok || ip.timeZones.length === 0) return unknown
    // The name gives the exact offset at the time of the visit. The reported one serves for unknown names.
    const browser = offsetOfZone(timezone.value.name, atMs) ?? timezone.value.offset_minutes
    const gapMinutes = Math.min(...offsetsOfZones(ip.timeZones, atMs).map((offset) => gap(browser, offset)))
    if (!Number.isFinite(gapMinutes)) return unknown
    if (gapMinutes < GAP_MINUTES_MIN) return clear
    return hit('Browser timezone ≠ IP-timezone', {
      browser_zone: timezone.value.name,
      browser_offset_minutes: browser,
      address_country: ip.country,
      gap_minutes: gapMinutes,
    })
  },
})

/** Offsets lie on a circle: +13 and -11 hours show the same time of day. */
const DAY_MINUTES = 1_440
function gap(a: number, b: number): number {
  const distance = Math.abs(a - b) % DAY_MINUTES
  return Math.min(distance, DAY_MINUTES - distance)
}
