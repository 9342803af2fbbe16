import { readFile } from 'node:fs/promises'
import type { Case } from '../src/case.ts'
import { claimingChrome } from '../src/chrome-headers.ts'
import { copied, edited, withHeaders } from '../src/forge.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { curl, whyNoCurl } from '../src/send/program-clients.ts'
import { deliver } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'captured bodies' } as const
const EARLIER = new URL('../../bodies/chromium-german.json', import.meta.url)

export const CAPTURED: readonly Case[] = [
  {
    ...shared,
    id: 'captured-copied',
    title: "Chromium's body, sent again at once",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      return deliver(attempt, nodeHttps, copied(captured))
    },
  },
  {
    ...shared,
    id: 'captured-copied-firefox',
    title: "Firefox's body, sent again at once",
    async run(attempt) {
      const [captured] = await attempt.capture('firefox')
      return deliver(attempt, nodeHttps, copied(captured))
    },
  },
  {
    ...shared,
    id: 'captured-edited',
    title: "Chromium's body with other IDs and without its proof",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      return deliver(attempt, nodeHttps, edited(captured))
    },
  },
  {
    ...shared,
    id: 'captured-edited-curl',
    title: 'The same sent by curl under its own name',
    missing: whyNoCurl,
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const forged = edited(captured)
      const headers = withHeaders(forged.headers, { 'User-Agent': 'curl/8.0' })
      return deliver(attempt, curl, { ...forged, headers })
    },
  },
  {
    ...shared,
    id: 'captured-proof-kept',
    title: "Chromium's body with other IDs and its old proof",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const { proof } = JSON.parse(captured.body) as { proof?: unknown }
      return deliver(
        attempt,
        nodeHttps,
        edited(captured, (body) => Object.assign(body, proof && { proof })),
      )
    },
  },
  {
    ...shared,
    id: 'captured-headless',
    title: "A headless Chromium's body, cleaned of what shows it",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium', { args: ['--headless=new'] })
      const cleaned = { ...captured, body: captured.body.replaceAll('HeadlessChrome', 'Chrome') }
      return deliver(attempt, nodeHttps, {
        ...edited(cleaned),
        headers: captured.headers.map(
          ([name, value]) => [name, value.replaceAll('HeadlessChrome', 'Chrome')] as const,
        ),
      })
    },
  },
  {
    ...shared,
    id: 'captured-http',
    title: 'A body that an earlier agent made in Chromium, with other IDs, over plain HTTP',
    at: 'plain',
    async run(attempt) {
      const body = (await readFile(EARLIER, 'utf8')).replaceAll('HeadlessChrome', 'Chrome')
      const captured = { requestId: '', body, headers: claimingChrome(attempt) }
      return deliver(attempt, nodeHttps, edited(captured))
    },
  },
]
