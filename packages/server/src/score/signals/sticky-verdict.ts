import { NIL_UUID, STICKY_BEGINNING } from '@inkling/contract'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const stickyVerdict = defineSignal({
  name: 'sticky_verdict',
  title: 'Earlier verdict on this device',
  weight: 45,
  flag: 'anti_detect_browser',
  meaning: 'An earlier visit of this device from this address was found to be an anti-detect browser.',
  evidence:
    'Verdicts of the last 30 days on the same device at the same address, or in the same /64 of IPv6.',
  innocentCauses: ['a shared machine on which somebody else used such a browser in the last 30 days'],
  test({ sticky, identity }) {
    // Without a device there is nothing to look up.
    if (!sticky) return identity.deviceId === NIL_UUID ? unknown : clear
    return hit(`${STICKY_BEGINNING}${sticky.description} (request ${sticky.requestId})`, {
      signal: sticky.name,
      request_id: sticky.requestId,
    })
  },
})
