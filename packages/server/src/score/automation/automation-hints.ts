import type { Identified } from '../../visit/identification.ts'
import { convince, DECISIVE, type Hint } from '../hint.ts'
import { known } from '../known.ts'
import { isPrivateWindow } from '../private-window.ts'
import { tamperingHints } from '../tampering/tampering-hints.ts'
import { inputHints } from './input-hints.ts'
import { windowHints } from './window-hints.ts'

/** All that speaks for a program behind the browser. */
export const automationHints = (identified: Identified): Hint[] => [
  ...declared(identified),
  ...surroundings(identified),
  ...windowHints(identified),
  ...inputHints(identified),
]

/** What says so outright: the browser's own word, or what only programs leave behind. */
function declared(identified: Identified): Hint[] {
  const { automation, iframe } = identified.readings
  const headless = headlessNames(identified)
  const found: Record<string, unknown> = {
    webdriver: known(automation)?.webdriver || undefined,
    markers: known(automation)?.markers.length ? known(automation)?.markers : undefined,
    headless_in: headless.length > 0 ? headless : undefined,
    // The page was told otherwise.
    webdriver_in_frame: (known(iframe)?.webdriver && !known(automation)?.webdriver) || undefined,
  }
  return Object.entries(found).flatMap(([name, evidence]) =>
    evidence === undefined ? [] : [{ name, group: 'declared', points: DECISIVE, evidence }],
  )
}

/** Each of these is common among people; together with something else they are not. */
function surroundings(identified: Identified): Hint[] {
  const { inspector, tampering } = identified.readings
  const hints: Hint[] = []
  const webdriver = known(tampering)?.filter((sign) => sign.includes('.webdriver:')) ?? []
  if (webdriver.length > 0)
    hints.push({ name: 'webdriver_replaced', group: 'webdriver', points: 25, evidence: webdriver })
  // Open DevTools are the same to a page.
  if (known(inspector)?.attached)
    hints.push({ name: 'inspector', group: 'inspector', points: 10, evidence: true })
  if (isPrivateWindow(identified))
    hints.push({ name: 'private', group: 'private', points: 5, evidence: true })
  const lies = tamperingHints(identified)
  if (convince(lies))
    hints.push({
      name: 'antidetect',
      group: 'antidetect',
      points: 20,
      evidence: lies.map(({ name }) => name),
    })
  return hints
}

/** Where the browser calls itself headless; the request header is one a page cannot change. */
function headlessNames({ request, readings: { user_agent, worker, client_hints } }: Identified): string[] {
  const headless = (text = '') => text.includes('HeadlessChrome')
  const found: string[] = []
  if (headless(request.userAgent)) found.push('request header')
  if (headless(known(user_agent))) found.push('user agent')
  if (headless(known(worker)?.user_agent)) found.push('worker')
  if (known(client_hints)?.brands.some(({ brand }) => headless(brand))) found.push('client hints')
  return found
}
