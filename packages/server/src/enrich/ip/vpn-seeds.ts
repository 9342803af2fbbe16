import type { NetworkSeed } from './hosting-seeds.ts'

/**
 * Networks that VPN companies run for their own servers. Most VPN servers are in rented space (M247, Datacamp,
 * Leaseweb …), where the number does not tell them from other tenants. So a hit means VPN, and a miss means nothing.
 */
export const VPN_SEEDS: readonly NetworkSeed[] = [
  ['NordVPN, PacketHub', 136787, 272096, 207137, 147049, 141039],
  ['Mullvad, 31173 Services', 39351, 49399, 214813, 216025],
  ['Proton VPN', 62371, 208172, 199218, 209103],
  ['Surfshark, Cyberzone', 209854],
  ['VyprVPN, Powerhouse Management', 22363],
  ['IPVanish, Mudhook', 46253],
  ['Windscribe', 397540],
  ['StrongVPN', 54203],
  ['IVPN', 203619],
  ['AdGuard VPN', 212772, 200173],
  ['Anonymizer', 201665],
  ['Castle VPN', 397282],
  ['Bullet Proof VPN', 208765],
  ['IPLOCKVPN', 394104],
  ['VPNWholesaler', 62635],
  ['Free Unlimited VPN', 213163],
]
