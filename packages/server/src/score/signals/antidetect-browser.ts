import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { evidenceOf, reachesThreshold } from '../indicators.ts'
import { tamperingIndicators } from '../tampering/tampering-indicators.ts'

export const antidetectBrowser = defineSignal({
  name: 'antidetect_browser',
  title: 'Anti-detect browser',
  weight: 60,
  flag: 'anti_detect_browser',
  meaning:
    'The browser contradicts itself in several independent ways: it probably pretends to be another one.',
  evidence:
    'The same facts from the page, its worker and a frame; features and system compared with the user agent; replaced built-in functions.',
  innocentCauses: [
    'several privacy extensions at once that change the claimed browser',
    'a developer who emulates other devices with scripts',
  ],
  test(identified) {
    const hints = tamperingIndicators(identified)
    const reason = hints[0]?.name
    if (reason !== undefined && reachesThreshold(hints))
      return hit(`Antidetect browser (${reason})`, evidenceOf(hints))
    const { tampering, worker } = identified.readings
    return tampering.ok || worker.ok ? clear : unknown
  },
})
