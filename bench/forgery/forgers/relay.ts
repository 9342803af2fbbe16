import type { Case } from '../src/case.ts'
import { wellForged, whyNoProtocol } from '../src/forge.ts'
import { measuredIn } from '../src/forge-curves.ts'
import { loadLikePage } from '../src/send/load-like-page.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { impit } from '../src/send/package-clients.ts'
import { deliver } from '../src/send/send.ts'

/**
 * A real browser makes the visit and a script uses its request ID. In the first, nothing is forged. In the second, the
 * script sends what the browser made, with an imitated handshake. In the third, the script has a browser at hand that
 * answers what only an engine can.
 */
export const RELAY: readonly Case[] = [
  {
    kind: 'forger',
    family: 'relay',
    mayPass: true,
    id: 'relay-browser',
    title: 'A real Chromium that makes the visit; the script takes only its request ID',
    run: (attempt) => attempt.visit({ engine: 'chromium' }),
  },
  {
    kind: 'forger',
    family: 'relay',
    mayPass: true,
    id: 'relay-imitated',
    title: "A real Chromium's whole body, ticket and signature, sent once by impit as Chrome",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium', { withhold: true })
      return deliver(attempt, impit('chrome'), captured)
    },
  },
  {
    kind: 'forger',
    family: 'relay',
    mayPass: true,
    id: 'relay-curves',
    title: "All of a page by Node, and a real Chromium that measures the curves of the script's ticket",
    missing: whyNoProtocol,
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      await loadLikePage(attempt, captured)
      const forged = await wellForged(attempt, nodeHttps, captured, { measure: measuredIn(attempt) })
      return deliver(attempt, nodeHttps, forged)
    },
  },
]
