import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { convince, evidenceOf } from '../hint.ts'
import { tamperingHints } from '../tampering/tampering-hints.ts'

export const antidetectBrowser = defineSignal({
  name: 'antidetect_browser',
  meaning:
    'The browser contradicts itself in several independent ways, as one does that pretends to be another.',
  evidence:
    'What the page, its worker and a frame of their own say of the same facts; features and system against the user agent; built-in functions that were replaced.',
  innocentCauses: [
    'several privacy extensions at once that change which browser it claims to be',
    'a developer who tries out other devices with scripts',
  ],
  test(identified) {
    const hints = tamperingHints(identified)
    const reason = hints[0]?.name
    if (reason !== undefined && convince(hints))
      return hit(`Antidetect browser (${reason})`, evidenceOf(hints))
    const { tampering, worker } = identified.readings
    return tampering.ok || worker.ok ? clear : unknown
  },
})
