import type { Case } from '../src/case.ts'
import { copied, edited, fetchTicket, newKey, proven, whyNoProtocol } from '../src/forge.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { deliver } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'captured and aged', movesClock: true } as const
const HOUR_MS = 3_600_000

export const AGED: readonly Case[] = [
  {
    ...shared,
    id: 'aged-withheld',
    title: "Chromium's body that nobody has seen, sent as it is after an hour and a half",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium', { withhold: true })
      await attempt.installation.pass(1.5 * HOUR_MS)
      return deliver(attempt, nodeHttps, captured)
    },
  },
  {
    ...shared,
    id: 'aged-copied',
    title: "Chromium's body, sent again after an hour",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      await attempt.installation.pass(HOUR_MS)
      return deliver(attempt, nodeHttps, copied(captured))
    },
  },
  {
    ...shared,
    id: 'aged-edited',
    title: "Firefox's body with other IDs and without its proof, after a day",
    async run(attempt) {
      const [captured] = await attempt.capture('firefox')
      await attempt.installation.pass(24 * HOUR_MS)
      return deliver(attempt, nodeHttps, edited(captured))
    },
  },
  {
    ...shared,
    id: 'aged-ticket',
    title: 'An edited body with a ticket that was fetched the day before',
    missing: whyNoProtocol,
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const forged = edited(captured)
      const ticket = await fetchTicket(attempt, nodeHttps, forged)
      await attempt.installation.pass(24 * HOUR_MS)
      return deliver(attempt, nodeHttps, await proven(forged, { ticket, key: await newKey() }))
    },
  },
]
