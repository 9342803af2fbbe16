import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { isPrivateWindow } from '../private-window.ts'

export const incognito = defineSignal({
  name: 'incognito',
  title: 'Private window',
  weight: 0,
  flag: 'incognito',
  meaning: 'The page is in a private window. Adds nothing to the score by itself.',
  evidence:
    'The time to write a file with and without waiting for the disk, or whether the browser refuses to store files.',
  innocentCauses: [
    'any visitor who prefers privacy',
    'a kiosk or another program that runs the browser without a profile',
  ],
  test(identified) {
    const answer = isPrivateWindow(identified)
    if (answer === undefined) return unknown
    return answer ? hit('Incognito', { private_mode: identified.readings.private_mode }) : clear
  },
})
