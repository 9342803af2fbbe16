import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { groupRows, type Pattern, type PatternRow } from './pattern.ts'

/** A device or country is new for this long. */
const NEW_MS = 7 * DAY_MS
/** An account with less history has nothing to compare new things with. */
const KNOWN_ROWS_MIN = 3
const KNOWN_DAYS_MIN = 2
/** A journey abroad takes longer than this, from the last visit at home to the first one there. */
const JOURNEY_MS = 6 * HOUR_MS

/**
 * Counts the devices that appeared within the last week in a country that is as new. A device counts twice when a
 * known device was in another country within six hours, which no journey explains. Ninety-seven days: one week of
 * new things and ninety days of history, since few people leave a device unused for longer.
 */
export const newDeviceAndCountry: Pattern = {
  name: 'new_device_and_country',
  entity: 'user_hid',
  windowMs: NEW_MS + 90 * DAY_MS,
  suspicious: { lowRisk: 2, highRisk: 1 },
  dangerous: { lowRisk: 4, highRisk: 2 },
  count(rows, _homeDeviceOf, nowMs) {
    const isRecent = ({ atMs }: PatternRow): boolean => atMs >= nowMs - NEW_MS
    const located = rows.filter(({ hidden, country }) => !hidden && country !== undefined)
    const [recent, history] = [located.filter(isRecent), located.filter((row) => !isRecent(row))]
    const days = new Set(history.map(({ atMs }) => Math.floor(atMs / DAY_MS)))
    if (history.length < KNOWN_ROWS_MIN || days.size < KNOWN_DAYS_MIN) return { count: 0, rows: [] }

    const knownDevices = new Set(rows.filter((row) => !isRecent(row)).map(({ deviceId }) => deviceId))
    const knownCountries = new Set(history.map(({ country }) => country))
    // A known device that came along is a journey, which makes its country known.
    for (const { deviceId, country } of recent) if (knownDevices.has(deviceId)) knownCountries.add(country)
    const isNew = ({ deviceId, country }: PatternRow): boolean =>
      deviceId !== undefined && !knownDevices.has(deviceId) && !knownCountries.has(country)
    const ofKnownDevices = recent.filter(
      ({ deviceId }) => deviceId !== undefined && knownDevices.has(deviceId),
    )

    let count = 0
    const evidence = new Set<PatternRow>()
    for (const ofDevice of groupRows(recent.filter(isNew), ({ deviceId }) => deviceId).values()) {
      const elsewhere = ofKnownDevices.filter((known) =>
        ofDevice.some((row) => Math.abs(row.atMs - known.atMs) < JOURNEY_MS),
      )
      count += elsewhere.length > 0 ? 2 : 1
      for (const row of [...ofDevice, ...elsewhere]) evidence.add(row)
    }
    return { count, rows: [...evidence] }
  },
}
