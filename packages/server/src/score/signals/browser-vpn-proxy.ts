import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { contradictsStack } from '../os-family.ts'

export const browserVpnProxy = defineSignal({
  name: 'browser_vpn_proxy',
  title: 'VPN or proxy built into the browser',
  weight: 30,
  flag: 'browser_vpn_proxy',
  meaning:
    'Only the browser uses a proxy in a data center: its packets come from a server with another operating system.',
  evidence:
    "The address data, the operating system that the browser names, and the options and TTL of the connection's first packet.",
  innocentCauses: [
    "a person who uses a browser's built-in VPN or an extension",
    'a company gateway in a cloud',
  ],
  test({ ip, client, stack }) {
    const contradicts = contradictsStack({ client, stack })
    if (contradicts === undefined || (ip.hosting === undefined && ip.abuser === undefined)) return unknown
    if (!contradicts || !(ip.hosting || ip.abuser)) return clear
    return hit('Browser VPN/Proxy', {
      browser_os: client.os,
      network_os: stack.os,
      organization: ip.organization,
    })
  },
})
