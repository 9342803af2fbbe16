import { z } from 'zod'
import type { Entry } from './entry.ts'
import { readJson } from './read-json.ts'

const Servers = z.array(
  z.object({
    hosts: z.array(z.object({ host: z.string() })).optional(),
    ip_addresses: z.array(z.string()).optional(),
  }),
)
const Document = z.object({ wireguard: Servers, openvpn: Servers })

/** IVPN's servers: those of WireGuard as hosts, those of OpenVPN as addresses. */
export function* parseIvpnJson(text: string): Generator<Entry> {
  const { wireguard, openvpn } = readJson(text, Document)
  for (const { hosts, ip_addresses } of [...wireguard, ...openvpn]) {
    for (const { host } of hosts ?? []) yield { range: host }
    for (const range of ip_addresses ?? []) yield { range }
  }
}
