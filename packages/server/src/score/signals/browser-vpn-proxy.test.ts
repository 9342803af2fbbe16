import { describeSignal } from '../../../test/describe-signal.ts'
import { identified } from '../../../test/identified.ts'
import { browserVpnProxy } from './browser-vpn-proxy.ts'

const ordinary = identified()
const visit = (
  networkOs: 'Windows' | 'Linux' | undefined,
  ip: { hosting?: boolean | undefined; abuser?: boolean | undefined },
) =>
  identified({
    ip: { ...ordinary.ip, hosting: undefined, ...ip },
    stack: { ...ordinary.stack, os: networkOs },
  })

describeSignal(browserVpnProxy, {
  hit: [
    ['a Windows browser behind the Linux of a data center', visit('Linux', { hosting: true })],
    ['the same behind an address with a bad reputation', visit('Linux', { hosting: false, abuser: true })],
  ],
  clear: [
    ['the same system on both sides', visit('Windows', { hosting: true })],
    ['an ordinary line', visit('Linux', { hosting: false, abuser: false })],
  ],
  unknown: [
    ['the packets were not seen', visit(undefined, { hosting: true })],
    ['nothing is known of the address', visit('Linux', {})],
  ],
})
