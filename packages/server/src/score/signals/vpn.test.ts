import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { turnEvidence } from '../../../test/network.ts'
import { vpn } from './vpn.ts'

interface Checks {
  addressData?: boolean | undefined
  packetSize?: boolean | undefined
  checkFailed?: boolean | undefined
}

function visit({ addressData, packetSize, checkFailed }: Checks) {
  const ordinary = identified()
  const sized = { mss: packetSize ? 1_380 : 1_460, mtu: packetSize ? 1_420 : 1_500 }
  return identified({
    ip: { ...ordinary.ip, vpn: addressData },
    stack: {
      ...ordinary.stack,
      ...(packetSize !== undefined && { ...sized, mtuHint: packetSize ? 'vpn_likely' : 'direct' }),
    },
    network: {
      ...ordinary.network,
      ...(checkFailed !== undefined && {
        turn: checkFailed ? { available: false, reason: 'no_packet' } : turnEvidence(ordinary.address),
      }),
    },
  })
}

describeSignal(vpn, {
  hit: [
    ['address data and packet size agree', visit({ addressData: true, packetSize: true })],
    [
      'address data and the failed check agree',
      visit({ addressData: true, packetSize: false, checkFailed: true }),
    ],
    ['packet size and the failed check agree', visit({ packetSize: true, checkFailed: true })],
    ['the address data alone, where TCP shows nothing', visit({ addressData: true })],
    ['the failed check alone, where TCP shows nothing', visit({ addressData: false, checkFailed: true })],
  ],
  clear: [
    [
      'the address data stands alone beside a direct connection',
      visit({ addressData: true, packetSize: false }),
    ],
    ['a small packet size alone, as on many home lines', visit({ addressData: false, packetSize: true })],
    ['a blocked check alone', visit({ packetSize: false, checkFailed: true })],
    ['no check says so', visit({ addressData: false, packetSize: false, checkFailed: false })],
  ],
  unknown: [['neither the address nor the connection is known', visit({})]],
})
