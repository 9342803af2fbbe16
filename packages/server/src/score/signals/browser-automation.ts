import { automationIndicators } from '../automation/automation-indicators.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { evidenceOf, reachesThreshold } from '../indicators.ts'

export const browserAutomation = defineSignal({
  name: 'browser_automation',
  title: 'Browser automation',
  weight: 60,
  flag: 'browser_automation',
  meaning:
    'A program controls the browser: the browser says so, or its page or input shows traces of automation.',
  evidence:
    '`navigator.webdriver`, traces of automation tools in the page, the user agent header, what reads the console, the sizes of page, window and screen, the use of mouse and keyboard, and what their events lack that devices give them.',
  innocentCauses: [
    "the operator's own end-to-end tests and uptime checks",
    'a developer who emulates other devices with a script',
    'a browser that runs on another machine and gets its input from a program there, such as browser isolation',
    'an extension that clicks for its user through the DevTools protocol, as some voice control may',
    'a developer whose DevTools are set to show no asynchronous stacks, and are open when the page loads',
    'an extension that takes `navigator.webdriver` out of Firefox altogether',
    'a recorder of bugs that reads the console, while texts are dictated or the page may know the position',
  ],
  test(identified) {
    const hints = automationIndicators(identified)
    if (reachesThreshold(hints)) return hit('Browser Automation', evidenceOf(hints))
    return identified.readings.automation.ok ? clear : unknown
  },
})
