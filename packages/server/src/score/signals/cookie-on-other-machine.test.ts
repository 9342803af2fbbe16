import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import type { IdentityDecision, KeyHistory } from '../../visit/identification.ts'
import { cookieOnOtherMachine } from './cookie-on-other-machine.ts'

const DECISION: IdentityDecision = {
  outcome: 'cookie',
  confidence: 1,
  agreed: [],
  changed: [],
  absent: [],
  clones: 1,
  devices: 1,
  candidates: 1,
  hardwareFlips: [],
  merged: undefined,
}

const withKey = (keyHistory: KeyHistory | undefined) =>
  identified({ identity: { ...identified().identity, decision: { ...DECISION, keyHistory } } })

describeSignal(cookieOnOtherMachine, {
  hit: [['the cookie alone on other hardware', withKey('another_machine')]],
  clear: [
    ['the key of the cookie', withKey('same')],
    ['a new browser', withKey('first')],
    ['stored keys were cleared', withKey('replaced')],
    ['storage is blocked now', withKey('missing')],
    ['a private window, or cleared cookies', withKey('on_other_cookie')],
    ['a profile that moved to a new machine', withKey('copied')],
  ],
  unknown: [
    ['no key', withKey(undefined)],
    ['no device', identified()],
  ],
})
