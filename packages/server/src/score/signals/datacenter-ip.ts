import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const datacenterIp = defineSignal({
  name: 'datacenter_ip',
  title: 'Data-center address',
  weight: 10,
  flag: 'datacenter_ip',
  meaning: 'The address belongs to a hosting network. Visitors rarely connect from servers.',
  evidence: 'The address data: the network that announces the address, and lists of hosting ranges.',
  innocentCauses: ['a company that routes its staff through a cloud', 'a remote desktop in a data center'],
  test({ ip }) {
    if (ip.hosting === undefined) return unknown
    if (!ip.hosting) return clear
    return hit('Is datacenter', { asn: ip.asn, organization: ip.organization })
  },
})
