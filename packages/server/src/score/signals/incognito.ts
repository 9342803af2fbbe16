import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { isPrivateWindow } from '../private-window.ts'

export const incognito = defineSignal({
  name: 'incognito',
  title: 'Private window',
  weight: 0,
  flag: 'incognito',
  meaning: 'The page is in a private window. Adds nothing to the score.',
  evidence:
    'How long writing to a file takes with and without waiting for the disk, or that the browser refuses files.',
  innocentCauses: [
    'anybody who likes privacy',
    'a browser that another program keeps without a profile, as in kiosks',
  ],
  test(identified) {
    const answer = isPrivateWindow(identified)
    if (answer === undefined) return unknown
    return answer ? hit('Incognito', { private_mode: identified.readings.private_mode }) : clear
  },
})
