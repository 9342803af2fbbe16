import type { Identified } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown, valueIn } from '../define-signal.ts'
import { contradictsStack } from '../os-family.ts'
import { roundTripGap } from '../round-trip-gap.ts'

export const osMismatch = defineSignal({
  name: 'os_mismatch',
  title: 'Operating system contradicts the network',
  weight: 60,
  flag: 'os_mismatch',
  meaning: 'The browser reports one operating system, but the packets of its connection come from another.',
  evidence:
    "The operating system that the browser reports, and the options and TTL of the connection's first packet.",
  innocentCauses: [
    'a proxy near the visitor that opens its own connection, such as a router that filters or an app that shares a phone',
    'a company’s gateway whose network is not known as one',
    'a virtual machine whose host opens the connections',
    'an extension that names another operating system',
  ],
  test(identified) {
    const { client, stack } = identified
    const contradicts = contradictsStack({ client, stack })
    if (contradicts === undefined) return unknown
    // A router may set the TTL of all its packets to 128, so that alone contradicts nothing.
    if (!contradicts) return clear
    if (isOfSomebodyElse(identified) || isPhoneOnDesktopPage(identified)) return unknown
    return hit(`Os_mismatch (${client.os} ≠ ${stack.forged ? 'changed network stack' : stack.os})`, {
      browser_os: client.os,
      network_os: stack.os,
      forged: stack.forged,
    })
  },
})

/**
 * A geostationary satellite is 35,786 km up, so that light needs 477 ms to the ground station and back. Its operators
 * open the connections of their customers at the ground (https://www.rfc-editor.org/rfc/rfc3135).
 */
const SATELLITE_MS = 470

/**
 * Whether an operator opened the connection, not the browser's machine and no proxy of the visitor's choice, and no list
 * says that the address is a server's: a relay that shares its network with others or a company's gateway; a satellite
 * link; or, for an iPhone, a mobile operator, some of which split connections like satellites (section 4.2 of RFC 3135).
 * Other systems get no such excuse there: the modems of proxies for hire are in these networks. Nearer proxies are what a
 * browser hides behind that claims another system.
 */
function isOfSomebodyElse({ client, ip, network }: Identified): boolean {
  // No server is behind a satellite, but any program can answer late.
  if (ip.hosting === true) return false
  const gap = roundTripGap(network)
  const isSplit = ip.mobile === true && client.os.startsWith('IOS') && gap?.suspicious === true
  return ip.relayEdge === true || isSplit || (gap?.gapMs ?? 0) >= SATELLITE_MS
}

/** Phones ask for the pages of desktops by a desktop's user agent. No Mac has a touch screen, and no PC a phone's platform. */
function isPhoneOnDesktopPage({ client, stack, readings: { hardware, platform } }: Identified): boolean {
  const hasTouch = (valueIn(hardware)?.max_touch_points ?? 0) > 1
  const isPhone = client.os === 'Mac OS X' || /^Linux a(?:rm|arch)/.test(valueIn(platform) ?? '')
  return hasTouch && isPhone && stack.os === 'Linux'
}
