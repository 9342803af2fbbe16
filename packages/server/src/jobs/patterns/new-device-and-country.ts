import { DAY_MS, groupRows, HOUR_MS, type Pattern, type PatternRow } from './pattern.ts'

/** What appeared within this time is new. */
const NEW_MS = 7 * DAY_MS
/** An account with less of a past has nothing that new things could be compared with. */
const KNOWN_ROWS_MIN = 3
const KNOWN_DAYS_MIN = 2
/** No journey to another country with a farewell at home and an arrival takes less. */
const APART_MS = 6 * HOUR_MS

/**
 * Counts devices that appeared within the last week in a country that is as new; each once more where a known
 * device was in another country within six hours, which no journey explains. Ninety-seven days: a week of news
 * and ninety days to compare them with, since a person rarely leaves a device alone for longer.
 */
export const newDeviceAndCountry: Pattern = {
  name: 'new_device_and_country',
  entity: 'user_hid',
  windowMs: NEW_MS + 90 * DAY_MS,
  suspicious: { lowRisk: 2, highRisk: 1 },
  dangerous: { lowRisk: 4, highRisk: 2 },
  count(rows, _surroundings, nowMs) {
    const placed = rows.filter(({ hidden, country }) => !hidden && country !== undefined)
    const known = placed.filter(({ atMs }) => atMs < nowMs - NEW_MS)
    const days = new Set(known.map(({ atMs }) => Math.floor(atMs / DAY_MS)))
    if (known.length < KNOWN_ROWS_MIN || days.size < KNOWN_DAYS_MIN) return { count: 0, rows: [] }
    const knownDevices = new Set(
      rows.filter(({ atMs }) => atMs < nowMs - NEW_MS).map(({ deviceId }) => deviceId),
    )
    const knownCountries = new Set(known.map(({ country }) => country))
    const recent = placed.filter(({ atMs }) => atMs >= nowMs - NEW_MS)
    // A device of the account that came along is a journey, and with it the country is known.
    for (const { deviceId, country } of recent) if (knownDevices.has(deviceId)) knownCountries.add(country)
    const isNew = ({ deviceId, country }: PatternRow): boolean =>
      deviceId !== undefined && !knownDevices.has(deviceId) && !knownCountries.has(country)
    const others = recent.filter(({ deviceId }) => deviceId !== undefined && knownDevices.has(deviceId))
    let count = 0
    const evidence = new Set<PatternRow>()
    for (const those of groupRows(recent.filter(isNew), ({ deviceId }) => deviceId).values()) {
      const elsewhere = others.filter((other) =>
        those.some((row) => Math.abs(row.atMs - other.atMs) < APART_MS),
      )
      count += elsewhere.length > 0 ? 2 : 1
      for (const row of [...those, ...elsewhere]) evidence.add(row)
    }
    return { count, rows: [...evidence] }
  },
}
