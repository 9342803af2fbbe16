import { IP_MISMATCH_ENTRY } from '@inkling/contract'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'

export const ipMismatch = defineSignal({
  name: 'ip_mismatch',
  title: 'Two different addresses',
  weight: 0,
  flag: 'ip_mismatch',
  meaning: "The visitor's own packets come from another address than the request. Adds nothing to the score.",
  evidence: 'The address of the request, and the one from which the packets of the network check came.',
  innocentCauses: [
    'a mobile or shared connection with several public addresses',
    'a browser whose traffic goes through a company proxy',
  ],
  test({ address, check, ip }) {
    if (!check.service) return unknown
    if (!check.leak) return clear
    return hit(`${IP_MISMATCH_ENTRY} (${address} ≠ ${check.leak.address}, source=service)`, {
      address,
      country: ip.country,
      real_address: check.leak.address,
      real_country: check.leak.country,
      other_network: check.leak.otherNetwork,
    })
  },
})
