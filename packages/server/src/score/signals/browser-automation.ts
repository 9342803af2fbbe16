import type { Identified } from '../../identification.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const browserAutomation = defineSignal({
  name: 'browser_automation',
  meaning: 'The browser says, or shows by what it leaves in the page, that a program drives it.',
  innocentCauses: ["the operator's own end-to-end tests and uptime checks"],
  test(identified) {
    const { automation } = identified.readings
    const evidence: Record<string, unknown> = {}
    if (automation.ok && automation.value.webdriver) evidence.webdriver = true
    if (automation.ok && automation.value.markers.length > 0) evidence.markers = automation.value.markers
    const headless = headlessNames(identified)
    if (headless.length > 0) evidence.headless_in = headless

    if (Object.keys(evidence).length > 0) return hit('Browser Automation', evidence)
    return automation.ok ? clear : unknown
  },
})

/** Where the browser calls itself headless; the request header is one a page cannot change. */
function headlessNames({ request, readings: { user_agent, worker, client_hints } }: Identified): string[] {
  const headless = (text: string) => text.includes('HeadlessChrome')
  const found: string[] = []
  if (headless(request.userAgent)) found.push('request header')
  if (user_agent.ok && headless(user_agent.value)) found.push('user agent')
  if (worker.ok && headless(worker.value.user_agent)) found.push('worker')
  if (client_hints.ok && client_hints.value.brands.some(({ brand }) => headless(brand)))
    found.push('client hints')
  return found
}
