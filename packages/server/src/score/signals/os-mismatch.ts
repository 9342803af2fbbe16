import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { contradictsStack } from '../os-family.ts'

export const osMismatch = defineSignal({
  name: 'os_mismatch',
  title: 'Operating system contradicts the network',
  weight: 60,
  flag: 'os_mismatch',
  meaning: 'The browser reports one operating system, but the packets of its connection come from another.',
  evidence:
    "The operating system that the browser reports, and the options and TTL of the connection's first packet.",
  innocentCauses: [
    'a company gateway or proxy that opens its own connection for its users',
    'a virtual machine whose host opens the connections',
  ],
  test({ client, stack }) {
    const contradicts = contradictsStack({ client, stack })
    if (contradicts === undefined) return unknown
    if (!contradicts && !stack.forged) return clear
    return hit(`Os_mismatch (${client.os} ≠ ${stack.forged ? 'changed network stack' : stack.os})`, {
      browser_os: client.os,
      network_os: stack.os,
      forged: stack.forged,
    })
  },
})
