import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { isPrivateWindow } from '../private-window.ts'

export const incognito = defineSignal({
  name: 'incognito',
  meaning: 'The page is in a private window. Adds nothing to the score.',
  evidence: 'How much longer a durable write takes than a relaxed one, or that the browser refuses files.',
  innocentCauses: [
    'anybody who likes privacy',
    'a profile that is kept in memory, as in kiosks and virtual desktops',
  ],
  test(identified) {
    const answer = isPrivateWindow(identified)
    if (answer === undefined) return unknown
    return answer ? hit('Incognito', { private_mode: identified.readings.private_mode }) : clear
  },
})
