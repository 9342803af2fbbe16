import { randomUUID } from 'node:crypto'
import type { Case } from '../src/case.ts'
import { edited, fetchTicket, newKey, proven, wellForged, whyNoProtocol } from '../src/forge.ts'
import { computed } from '../src/forge-curves.ts'
import { reportOverChannel } from '../src/send/channel.ts'
import { loadLikePage } from '../src/send/load-like-page.ts'
import { nodeHttp2, nodeHttps } from '../src/send/node-clients.ts'
import { deliver, type Header } from '../src/send/send.ts'

const shared = {
  kind: 'forger',
  family: "the agent's protocol",
  missing: whyNoProtocol,
} as const

export const PROTOCOL: readonly Case[] = [
  {
    ...shared,
    id: 'protocol-no-key',
    title: 'Edited body, fresh ticket and right digest; says that the browser can keep no key',
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const forged = edited(captured)
      const ticket = await fetchTicket(attempt, nodeHttps, forged)
      return deliver(attempt, nodeHttps, await proven(forged, { ticket }))
    },
  },
  {
    ...shared,
    id: 'protocol-key',
    title: 'Edited body, fresh ticket, right digest, key and signature',
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      return deliver(attempt, nodeHttps, await wellForged(attempt, nodeHttps, captured))
    },
  },
  {
    ...shared,
    id: 'protocol-key-firefox',
    title: "The same with Firefox's body",
    async run(attempt) {
      const [captured] = await attempt.capture('firefox')
      return deliver(attempt, nodeHttps, await wellForged(attempt, nodeHttps, captured))
    },
  },
  {
    ...shared,
    id: 'protocol-key-http2',
    title: "The same with Chromium's body over HTTP/2",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      return deliver(attempt, nodeHttp2, await wellForged(attempt, nodeHttp2, captured))
    },
  },
  {
    ...shared,
    id: 'protocol-key-script',
    title: 'Edited body of Chromium with ticket and key, after the agent was loaded by the same client',
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const { installation, publicKey } = attempt
      const url = `${installation.scriptUrl}/agent.js?publicKey=${publicKey}`
      await nodeHttps({ method: 'GET', url, headers: captured.headers.filter(isOfNoKind) })
      return deliver(attempt, nodeHttps, await wellForged(attempt, nodeHttps, captured))
    },
  },
  {
    ...shared,
    id: 'protocol-key-page',
    title: 'The same, and the agent was loaded with the headers of a page, its module too',
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      await loadLikePage(attempt, captured)
      return deliver(attempt, nodeHttps, await wellForged(attempt, nodeHttps, captured))
    },
  },
  {
    ...shared,
    id: 'protocol-key-page-firefox',
    title: "The same with Firefox's body",
    async run(attempt) {
      const [captured] = await attempt.capture('firefox')
      await loadLikePage(attempt, captured)
      return deliver(attempt, nodeHttps, await wellForged(attempt, nodeHttps, captured))
    },
  },
  {
    ...shared,
    id: 'protocol-key-channel',
    title: "All of a page with Chromium's body, and the follow-up channel",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      await loadLikePage(attempt, captured)
      const forged = edited(captured, (body) => {
        body.follow_up = true
      })
      const ticket = await fetchTicket(attempt, nodeHttps, forged)
      await reportOverChannel(attempt, { ...forged, ticket })
      return deliver(attempt, nodeHttps, await proven(forged, { ticket, key: await newKey() }))
    },
  },
  {
    ...shared,
    id: 'protocol-key-computed',
    title: "All of a page, with the lengths of the ticket's curves as arithmetic tells them",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      await loadLikePage(attempt, captured)
      const forged = await wellForged(attempt, nodeHttps, captured, { measure: computed })
      return deliver(attempt, nodeHttps, forged)
    },
  },
  {
    ...shared,
    id: 'protocol-key-unmeasured',
    title: 'All of a page; says that the browser can measure no curve',
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      await loadLikePage(attempt, captured)
      const forged = await wellForged(attempt, nodeHttps, captured, { measure: () => null })
      return deliver(attempt, nodeHttps, forged)
    },
  },
  {
    ...shared,
    id: 'protocol-interrupted',
    title: 'A visitor who left at once: ticket, early signature and no readings but the user agent',
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const forged = edited(captured, (body) => {
        body.readings = { user_agent: body.readings?.user_agent ?? {} }
        body.duration_ms = 12 + Math.random()
      })
      const ticket = await fetchTicket(attempt, nodeHttps, forged)
      const left = await proven(forged, { ticket, key: await newKey(), interrupted: true })
      return deliver(attempt, nodeHttps, left)
    },
  },
  {
    ...shared,
    id: 'protocol-second-visit',
    title: 'Edited body with ticket and key, after a first visit with the same cookie and key',
    async run(attempt) {
      const [one, other] = await attempt.capture('chromium', { times: 2 })
      if (!other) throw new Error('only one body was captured')
      const key = await newKey()
      const cookieId = randomUUID()
      const send = async (captured: typeof one): Promise<string> => {
        const forged = edited(captured, (body) => {
          body.cookie_id = cookieId
        })
        const ticket = await fetchTicket(attempt, nodeHttps, forged)
        return deliver(attempt, nodeHttps, await proven(forged, { ticket, key }))
      }
      await send(one)
      return send(other)
    },
  },
]

/** Headers that say what a request is for: those of a posted body are not those of a script. */
const isOfNoKind = ([name]: Header): boolean => !/^(sec-fetch-|content-)/i.test(name)
