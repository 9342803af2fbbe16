import { automationIndicators } from '../automation/automation-indicators.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { evidenceOf, reachesThreshold } from '../indicators.ts'

export const browserAutomation = defineSignal({
  name: 'browser_automation',
  title: 'Browser automation',
  weight: 60,
  flag: 'browser_automation',
  meaning:
    'The browser says, or shows by what it leaves in the page and how it behaves, that a program drives it.',
  evidence:
    "The browser's own word, what drivers leave in the page, the request header, attached tools, the sizes of page, window and screen, and how mouse and keyboard are used.",
  innocentCauses: [
    "the operator's own end-to-end tests and uptime checks",
    'a developer who emulates other devices by a script',
  ],
  test(identified) {
    const hints = automationIndicators(identified)
    if (reachesThreshold(hints)) return hit('Browser Automation', evidenceOf(hints))
    return identified.readings.automation.ok ? clear : unknown
  },
})
