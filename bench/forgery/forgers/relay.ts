import type { Case } from '../src/case.ts'
import { impit } from '../src/send/package-clients.ts'
import { deliver } from '../src/send/send.ts'

/**
 * A real browser makes the visit and a script uses its request ID. In the first, nothing is forged. In the second, the
 * script sends what the browser made, with an imitated handshake.
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
]
