import { expectedEngine, mismatchIndicators } from '../client/mismatch-indicators.ts'
import { clear, defineSignal, hit, unknown } from '../define-signal.ts'
import { evidenceOf, reachesThreshold } from '../indicators.ts'

export const clientMismatch = defineSignal({
  name: 'client_mismatch',
  title: 'Not the browser it claims to be',
  weight: 60,
  meaning:
    'The visit claims to come from a browser, but its connection and request were written by another program.',
  evidence:
    "The library that wrote the TLS handshake, the settings of HTTP/2, the request's headers, the visit's ticket and key, how long it says that the ticket's curves are, and whether the page loaded the agent's script and opened a channel. Only where TLS ends at this server.",
  innocentCauses: [
    'several at once of: a gateway or antivirus program that opens its own connection, a switched user agent, a program that removes headers',
    'a browser whose network code its maker replaced',
    'a gateway in front of a browser without SVG, of an extension that changes what SVG measures, or of a build that nobody else here has',
    'a page that was opened in one network and identifies in another, where nobody has loaded the script yet and a gateway lets no WebSocket through',
    'a tab that stayed open while the server was updated from a release without tickets, behind a gateway that makes its own connections with a library',
  ],
  test(identified) {
    if (identified.via !== 'agent') return unknown
    const indicators = mismatchIndicators(identified)
    if (reachesThreshold(indicators)) {
      const [strongest] = indicators.toSorted((a, b) => b.points - a.points)
      return hit(`Client mismatch (${strongest?.name})`, evidenceOf(indicators))
    }
    return identified.network.tls.available && expectedEngine(identified) ? clear : unknown
  },
})
