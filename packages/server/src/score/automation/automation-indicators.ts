import { claimedVersion } from '../../lib/measured-engines.ts'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import { DECISIVE_POINTS, type Indicator, reachesThreshold, WEAK_POINTS_MAX } from '../indicators.ts'
import { isPrivateWindow } from '../private-window.ts'
import { engineContradiction } from '../tampering/engine-versions.ts'
import { tamperingIndicators } from '../tampering/tampering-indicators.ts'
import { consoleReader } from './console-reader.ts'
import { drivingIndicators } from './driving-indicators.ts'
import { inputIndicators } from './input-indicators.ts'
import { windowIndicators } from './window-indicators.ts'

/** Everything that shows a program driving the browser. */
export function automationIndicators(identified: Identified): Indicator[] {
  const found = [
    ...declared(identified),
    ...circumstantial(identified),
    ...windowIndicators(identified),
    ...inputIndicators(identified),
    ...drivingIndicators(identified),
  ]
  return found.some(isOfProgram) && isPrivateWindow(identified) ? [...found, PRIVATE] : found
}

/** Programs open a new private window for each visit, as people may: it counts beside what only programs do. */
const PRIVATE: Indicator = { name: 'private', group: 'private', points: 5, evidence: true }
const PROGRAM_POINTS = 20

/** A browser without a display, or anything strong but hasty input, which whoever dictates gives as well. */
const isOfProgram = ({ group, points }: Indicator): boolean =>
  group === 'surface' || (points >= PROGRAM_POINTS && group !== 'input')

/**
 * Names that only begin like ChromeDriver's `cdc_adoQpoasnfa76pfcZLmcfl_Array` and `$cdc_asdjflasutopfhvcZLmcfl_`. Agents of
 * earlier releases report them, and pages have them, such as the `cdc_ajax_object` of a plugin for shops.
 */
const OF_PAGES = /^(?:document\.)?\$?cdc_(?![a-zA-Z\d]{22}_)/

/** Proof: the browser says so itself, or holds what only drivers leave behind. */
function declared(identified: Identified): Indicator[] {
  const { automation, iframe } = identified.readings
  const headless = headlessNames(identified)
  const markers = valueIn(automation)?.markers.filter((name) => !OF_PAGES.test(name)) ?? []
  const found: Record<string, unknown> = {
    webdriver: valueIn(automation)?.webdriver || undefined,
    markers: markers.length > 0 ? markers : undefined,
    headless_in: headless.length > 0 ? headless : undefined,
    // Something hid it from the page and forgot the frame.
    webdriver_in_frame: (valueIn(iframe)?.webdriver && !valueIn(automation)?.webdriver) || undefined,
  }
  return Object.entries(found).flatMap(([name, evidence]) =>
    evidence === undefined ? [] : [{ name, group: 'declared', points: DECISIVE_POINTS, evidence }],
  )
}

/** Each of these but one is common among people. Together with others they are not. */
function circumstantial(identified: Identified): Indicator[] {
  const { tampering } = identified.readings
  const indicators: Indicator[] = []
  const webdriver = valueIn(tampering)?.filter((sign) => sign.includes('.webdriver:')) ?? []
  if (webdriver.length > 0)
    indicators.push({
      name: 'webdriver_replaced',
      group: 'webdriver',
      points: lacksWebdriver(identified, webdriver) ? WEAK_POINTS_MAX + 1 : 25,
      evidence: webdriver,
    })
  // A reader that debugs nothing is a fact of driving.
  if (consoleReader(identified) === 'devtools')
    indicators.push({ name: 'inspector', group: 'inspector', points: 10, evidence: true })
  const tamperings = tamperingIndicators(identified)
  if (reachesThreshold(tamperings))
    // Developers open DevTools where they emulate another device, so these two are one cause.
    indicators.push({
      name: 'antidetect',
      group: 'inspector',
      points: 20,
      evidence: tamperings.map(({ name }) => name),
    })
  return indicators
}

/** The first version whose features tell it from older engines under its name, such as that of SeaMonkey. */
const GECKO_KNOWN_SINCE = 115

/**
 * Whether a real Firefox has no `navigator.webdriver`, which its every window has, whatever the settings
 * (https://searchfox.org/mozilla-central/source/dom/webidl/Navigator.webidl). Who hides a driver takes it out of the program
 * (https://github.com/LunarWatcher/undetected_geckodriver). In Chromium this stays weak: programs that people use embed it,
 * and may take the property away to pass for Chrome.
 */
function lacksWebdriver({ client, readings }: Identified, signs: readonly string[]): boolean {
  const userAgent = valueIn(readings.user_agent) ?? ''
  const features = valueIn(readings.engine)?.features ?? ''
  return (
    signs.includes('Navigator.webdriver:missing') &&
    client.engine === 'Gecko' &&
    claimedVersion('Gecko', userAgent) >= GECKO_KNOWN_SINCE &&
    features.split(' ').includes('mozInnerScreenX') &&
    engineContradiction(userAgent, features) === undefined
  )
}

/** Where the browser calls itself headless. A script in the page cannot change the request header. */
function headlessNames({ request, readings: { user_agent, worker, client_hints } }: Identified): string[] {
  const headless = (text = '') => text.includes('HeadlessChrome')
  const found: string[] = []
  if (headless(request.userAgent)) found.push('request header')
  if (headless(valueIn(user_agent))) found.push('user agent')
  if (headless(valueIn(worker)?.user_agent)) found.push('worker')
  if (valueIn(client_hints)?.brands.some(({ brand }) => headless(brand))) found.push('client hints')
  return found
}
