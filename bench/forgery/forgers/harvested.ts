import { randomUUID } from 'node:crypto'
import type { Attempt, Captured } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'
import { edited, type Forged, newKey, proven, whyNoProtocol } from '../src/forge.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { impit } from '../src/send/package-clients.ts'
import { deliver, type Send, ticketUrl } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'harvested tickets' } as const

/** A real browser on the shop's page fetches the tickets of these request IDs. */
async function harvest(attempt: Attempt, requestIds: readonly string[]): Promise<string[]> {
  const { installation, publicKey } = attempt
  const urls = requestIds.map((id) => ticketUrl(installation.url, publicKey, id))
  const page = await attempt.open({
    engine: 'chromium',
    path: '/harvest',
    query: urls.map((url) => ['ticket', url] as const),
  })
  const { tickets } = await page.note<{ tickets: Record<string, string> }>('harvested')
  await page.close()
  return urls.map((url) => tickets[url] ?? '')
}

const harvested =
  (send: Send) =>
  async (attempt: Attempt): Promise<string> => {
    const [captured] = await attempt.capture('chromium')
    const forged = edited(captured)
    const [ticket = ''] = await harvest(attempt, [forged.requestId])
    return deliver(attempt, send, await proven(forged, { ticket, key: await newKey() }))
  }

/** A body that a browser made and did not send, with everything that vouches for it. */
const withheld =
  (send: Send) =>
  async (attempt: Attempt): Promise<string> => {
    const [captured] = await attempt.capture('chromium', { withhold: true })
    return deliver(attempt, send, captured)
  }

export const HARVESTED: readonly Case[] = [
  {
    ...shared,
    id: 'harvested-node',
    title: 'Edited body, own key, and a ticket that a real Chromium fetched; sent by Node',
    missing: whyNoProtocol,
    run: harvested(nodeHttps),
  },
  {
    ...shared,
    id: 'harvested-impit',
    title: 'The same sent by impit as Chrome',
    missing: whyNoProtocol,
    run: harvested(impit('chrome')),
  },
  {
    ...shared,
    id: 'harvested-one-for-many',
    title: 'Five edited bodies with one ticket; the fifth is judged',
    missing: whyNoProtocol,
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const [ticket = ''] = await harvest(attempt, [randomUUID()])
      const send = async (one: Captured): Promise<string> => {
        const forged: Forged = edited(one)
        return deliver(attempt, nodeHttps, await proven(forged, { ticket, key: await newKey() }))
      }
      for (let sent = 0; sent < 4; sent++) await send(captured)
      return send(captured)
    },
  },
  {
    ...shared,
    id: 'harvested-whole',
    title: "A real Chromium's whole body, ticket and signature, sent once by Node",
    run: withheld(nodeHttps),
  },
]
