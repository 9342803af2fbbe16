import { describeSignal } from '../../../test/describe-signal.ts'
import { decision, identified } from '../../../test/identified.ts'
import type { IdentityDecision, KeyHistory } from '../../visit/identification.ts'
import { cookieOnOtherMachine } from './cookie-on-other-machine.ts'

const withKey = (
  keyHistory: KeyHistory | undefined,
  changed: string[] = [],
  given: Partial<IdentityDecision> = {},
) =>
  identified({
    identity: {
      ...identified().identity,
      decision: decision({ keyHistory, changed, ...given }),
    },
  })

const ABROAD = ['address', 'prefix', 'timezone', 'screen']

describeSignal(cookieOnOtherMachine, {
  hit: [
    [
      'another key in another country, on another screen and with other graphics, in the same version',
      withKey('replaced', [...ABROAD, 'limits']),
    ],
    ['the cookie alone on other hardware', withKey('another_machine')],
    [
      'another key on like hardware, in another country, on another screen',
      withKey('replaced', ['address', 'prefix', 'timezone', 'languages', 'screen', 'zoom']),
    ],
    [
      'another key, on another network and clock and in other languages, where the browser hides its hardware',
      withKey('replaced', ['address', 'prefix', 'timezone', 'languages']),
    ],
  ],
  clear: [
    [
      'stored keys were lost, on a journey, at another monitor, after an update of the browser',
      withKey('replaced', [...ABROAD, 'limits', 'raster'], { isOtherVersion: true }),
    ],
    [
      'stored keys were lost, on a journey, at another monitor, where the same graphics card has other limits',
      withKey('replaced', [...ABROAD, 'limits'], { agreed: ['gpu'] }),
    ],
    ['the key of the cookie', withKey('same')],
    ['a new browser', withKey('first')],
    ['stored keys were cleared', withKey('replaced')],
    ['stored keys were lost, on a journey, at another monitor', withKey('replaced', ABROAD)],
    ['stored keys were lost with another language', withKey('replaced', ['languages', 'prefix'])],
    ['everything is another, with the key', withKey('same', ['prefix', 'timezone', 'languages', 'screen'])],
    ['storage is blocked now', withKey('missing')],
    ['a private window, or cleared cookies', withKey('on_other_cookie')],
    ['a profile that moved to a new machine', withKey('copied')],
  ],
  unknown: [
    ['no key', withKey(undefined)],
    ['no device', identified()],
  ],
})
