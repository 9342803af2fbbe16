import { COUNTRIES } from '../population/countries.ts'
import type { Cohort, Habits, Hardware, Preferences, Screen, Software } from '../population/device.ts'
import { FONT_PACKS } from '../population/fonts.ts'
import { DRIVERS, MONITORS } from '../population/machines.ts'
import type { Visit } from '../population/visits.ts'
import { type Operators, rankOdds, within } from './rates.ts'

/** A device as it was after a visit. */
export interface Look {
  index: number
  cohort: Cohort
  hardware: Hardware
  software: Software
  preferences: Preferences
  habits: Habits
}

const isChromium = ({ browser }: Software): boolean => browser !== 'Firefox' && browser !== 'Safari'
const isMobile = ({ system }: Hardware): boolean => system === 'Android' || system === 'iOS'
const sameScreen = (a: Screen, b: Screen): boolean =>
  a.width === b.width && a.height === b.height && a.pixelRatio === b.pixelRatio

/** Probability that a device which looked so looks like the visit after these days. */
export function lookOdds(was: Look, now: Visit, days: number, operators: Operators): number {
  const { hardware, software } = was
  if (!sameForLife(was, now)) return 0
  let odds = gpuOdds(was, now, days, operators)
  if (odds === 0) return 0
  odds *= screenOdds(was, now, days, operators)
  if (odds === 0) return 0
  odds *= softwareOdds(software, hardware, now, days)
  if (odds === 0) return 0
  odds *= fontOdds(was, now, days)
  return odds === 0 ? 0 : odds * preferenceOdds(was, now, days, operators)
}

function sameForLife(
  { hardware: a, software }: Look,
  { hardware: b, software: s, hidden, insecure }: Visit,
): boolean {
  if (a.system !== b.system || software.browser !== s.browser || a.touchPoints !== b.touchPoints) return false
  const coarse = s.browser === 'Firefox' && hidden
  if (coarse ? a.cores < 8 !== b.cores < 8 : a.cores !== b.cores) return false
  if (a.architecture !== b.architecture || a.colorGamut !== b.colorGamut) return false
  if (
    isChromium(s) &&
    !insecure &&
    (Math.min(a.memoryGb, 32) !== Math.min(b.memoryGb, 32) || a.model !== b.model)
  )
    return false
  return insecure || a.mediaDevices.length === b.mediaDevices.length
}

const GAMING = ['4070', '3060', '4060', '5070', '4080', '3070', '4090', '5080']

function gpuOdds(
  { index, cohort, hardware: a }: Look,
  { hardware: b, software }: Visit,
  days: number,
  operators: Operators,
): number {
  const driverKnown = a.system === 'Windows' && isChromium(software)
  const renewed = driverKnown ? within(days, 400) : 0
  const driver = (from: string) =>
    driverKnown ? (from === b.gpuDriver ? 1 - renewed : 0) + renewed * driverOdds(b.gpuDriver) : 1
  const two =
    operators.has('second GPU') && cohort === 'desktop' && index % 15 === 0 && !a.gpu.startsWith('Intel')
      ? 0.4
      : 0
  if (two > 0 && b.gpu === 'Intel|Intel(R) UHD Graphics') return two * driver(a.gpuDriver)
  const bought = operators.has('new parts') && cohort === 'desktop' ? within(days, 730) : 0
  const rank = GAMING.findIndex((name) => b.gpu === `NVIDIA|NVIDIA GeForce RTX ${name}`)
  const fresh = bought * rankOdds(rank, GAMING.length, 0.6) * (driverKnown ? driverOdds(b.gpuDriver) : 1)
  return (1 - two) * ((a.gpu === b.gpu ? 1 - bought : 0) * driver(a.gpuDriver) + fresh)
}

const driverShares = new Map<string, number>()
/** Some of the sixty drivers may have one name. */
export function driverOdds(driver: string): number {
  if (driverShares.size === 0)
    for (const [rank, name] of DRIVERS.entries())
      driverShares.set(name, (driverShares.get(name) ?? 0) + rankOdds(rank, DRIVERS.length, 1))
  return driverShares.get(driver) ?? 0
}

const monitorOdds = (now: Screen): number =>
  rankOdds(
    MONITORS.findIndex((one) => sameScreen(one, now)),
    MONITORS.length,
    1,
  )

function screenOdds(
  { index, cohort, hardware: a, habits }: Look,
  { hardware: b }: Visit,
  days: number,
  operators: Operators,
): number {
  if (isMobile(a)) return Number(sameScreen(a.screen, b.screen))
  const bought = within(days, 1_200)
  let odds = (sameScreen(a.screen, b.screen) ? 1 - bought : 0) + bought * monitorOdds(b.screen)
  if (habits.dock) odds = 0.65 * odds + 0.35 * Number(sameScreen(habits.dock, b.screen))
  if (operators.has('new parts') && cohort === 'desktop' && index % 3 === 0)
    odds = 0.8 * odds + 0.2 * Number(b.screen.width === 1920 && b.screen.height === 1080)
  return odds
}

const NEXT: Record<string, Record<string, string>> = {
  Windows: { '10.0.0': '15.0.0', '15.0.0': '19.0.0' },
  macOS: { '13.7.8': '14.8.0', '14.8.0': '15.6.0', '15.6.0': '15.7.1', '15.7.1': '26.1.0' },
  Android: { '12.0.0': '13.0.0', '13.0.0': '14.0.0', '14.0.0': '15.0.0', '15.0.0': '16.0.0' },
  iOS: { '17.7': '18.7', '18.7': '26.1', '26.0': '26.1' },
}

function softwareOdds(
  a: Software,
  { system }: Hardware,
  { software: b, insecure, noise }: Visit,
  days: number,
): number {
  const next = NEXT[system]?.[a.systemVersion]
  const upgraded = next === undefined ? 0 : within(days, system === 'iOS' ? 220 : 450)
  const updated = within(days, a.browser === 'Safari' ? 150 : 30)
  if (system === 'iOS') {
    const stays = b.build === a.build ? (1 - updated) * (1 - upgraded) : 0
    const moves = b.build === next ? (1 - updated) * upgraded : 0
    const [major, minor] = b.build.split('.').map(Number)
    const isMinor = Number.parseInt(a.build, 10) === major && (minor ?? 0) >= 2 && (minor ?? 0) <= 5
    return stays + moves + (isMinor ? updated / 4 : 0)
  }
  const seen = !noise || (isChromium(b) && !insecure)
  const ofSystem = seen
    ? (b.systemVersion === a.systemVersion ? 1 - upgraded : 0) + (b.systemVersion === next ? upgraded : 0)
    : 1
  if (ofSystem === 0) return 0
  if (a.browser === 'Safari') return ofSystem * Number(a.major === b.major)
  const steps = 1 + (days > 45 ? 1 : 0)
  const exact = isChromium(b) && !insecure
  const same = a.major === b.major && (!exact || a.build === b.build) ? 1 - updated : 0
  const newer = b.major === a.major + steps ? updated * (exact ? 1 / 120 : 1) : 0
  return ofSystem * (same + newer)
}

function fontOdds(
  { cohort, hardware, software: { browser, fonts: a } }: Look,
  { software: { fonts: b } }: Visit,
  days: number,
): number {
  const isSame = a === b || (a.length === b.length && a.every((font, index) => font === b[index]))
  if (isMobile(hardware) || browser === 'Safari') return Number(isSame)
  const changed = within(days, cohort === 'fleet' ? 1_200 : 400)
  let fits = 0
  for (const [pack] of FONT_PACKS) {
    const added = new Set([...a, ...pack])
    if (added.size === b.length && b.every((font) => added.has(font))) fits += 0.8
    const left = a.filter((font) => !pack.includes(font))
    if (left.length === b.length && left.every((font, index) => font === b[index])) fits += 0.2
  }
  return (isSame ? 1 - changed : 0) + (changed * fits) / FONT_PACKS.length
}

const ADDED = ['en', 'fr', 'es', 'de', 'it', 'ru']
const ZOOMS = [0.8, 0.9, 1.1, 1.25, 1.5]
export const TRAVELS = 0.012

function preferenceOdds(
  { index, hardware, preferences: a }: Look,
  { preferences: b }: Visit,
  days: number,
  operators: Operators,
): number {
  if (a.reducedMotion !== b.reducedMotion || a.doNotTrack !== b.doNotTrack) return 0
  const [was, is] = [a.languages.join(), b.languages.join()]
  const changed = within(days, 900)
  const into = ADDED.reduce((sum, added) => {
    const after = [...new Set([...a.languages, added])].join() === is ? 0.7 : 0
    const before = [...new Set([added, ...a.languages])].join() === is ? 0.3 : 0
    return sum + (after + before) / ADDED.length
  }, 0)
  const languages = (was === is ? 1 - changed : 0) + changed * into
  const scheme =
    operators.has('automatic theme') && index % 4 === 1 ? 0.5 : Number(a.colorScheme === b.colorScheme)
  const zoomed = isMobile(hardware) ? 0 : 0.04
  const zoom = (a.zoom === b.zoom ? 1 - zoomed : 0) + (ZOOMS.includes(b.zoom) ? zoomed / ZOOMS.length : 0)
  return languages * scheme * zoom
}

/** Probability of the preferences of somebody new. */
export function newPreferenceOdds({ preferences, cohort: _ }: Visit, isFleet: boolean): number {
  const { colorScheme, reducedMotion, doNotTrack, zoom } = preferences
  return (
    (colorScheme === 'dark' ? 0.35 : 0.65) *
    (reducedMotion ? 0.04 : 0.96) *
    (isFleet ? Number(doNotTrack === null) : doNotTrack === null ? 0.95 : 0.05) *
    (zoom === 1 ? 0.87 : 0.03)
  )
}

/** Probability of the languages of somebody in a country. */
export function languageOdds(country: number, languages: readonly string[]): number {
  const spoken = COUNTRIES[country]?.languages ?? []
  const all = spoken.reduce((sum, [, weight]) => sum + weight, 0)
  const hit = spoken.find(([list]) => list.join() === languages.join())
  return (hit?.[1] ?? 0.01) / all
}
