import type { Identified } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

/** Two of three independent checks must agree; without a packet size, one of the other two is enough. */
const AGREEING_MIN = { withTcp: 2, withoutTcp: 1 }

export const vpn = defineSignal({
  name: 'vpn',
  title: 'VPN',
  weight: 15,
  flag: 'vpn',
  meaning:
    'The visitor comes through a VPN, according to the address data, the packet size or the network check.',
  evidence: "The address data, the size of the connection's packets, and the network check.",
  innocentCauses: [
    'a company that connects its staff through a VPN',
    'a person who uses a VPN on public Wi-Fi',
  ],
  test(identified) {
    const { address_data, packet_size, network_check } = checksOf(identified)
    const needed = packet_size === undefined ? AGREEING_MIN.withoutTcp : AGREEING_MIN.withTcp
    const agreeing = [address_data, packet_size, network_check].filter((isVpn) => isVpn === true).length
    if (agreeing >= needed)
      return hit('Is VPN', {
        address_data,
        packet_size,
        network_check,
        mss: identified.stack.mss,
        organization: identified.ip.organization,
      })
    return address_data === undefined && packet_size === undefined ? unknown : clear
  },
})

/** Undefined where a check has no facts. */
function checksOf({ ip, stack, network }: Identified): Record<string, boolean | undefined> {
  return {
    address_data: ip.vpn,
    packet_size: stack.mss === undefined ? undefined : stack.mtuHint === 'vpn_likely',
    network_check: networkCheckFailed(network.turn),
  }
}

function networkCheckFailed(turn: Identified['network']['turn']): boolean | undefined {
  if (turn.available) return false
  return turn.reason === 'no_packet' ? true : undefined
}
