import type { Case } from '../src/case.ts'
import { CHROME_ON_WINDOWS } from '../src/chrome-headers.ts'
import { copied, edited, wellForged, whyNoProtocol, withHeaders } from '../src/forge.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { deliver } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'captured and moved' } as const

const onWindows = {
  'User-Agent': CHROME_ON_WINDOWS,
  'sec-ch-ua-platform': '"Windows"',
}

export const MOVED: readonly Case[] = [
  {
    ...shared,
    id: 'moved-withheld',
    title: "Chromium's body that nobody has seen, sent as it is from another address",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium', { withhold: true })
      attempt.move()
      return deliver(attempt, nodeHttps, captured)
    },
  },
  {
    ...shared,
    id: 'moved-copied',
    title: "Chromium's body, sent again from another address",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      attempt.move()
      return deliver(attempt, nodeHttps, copied(captured))
    },
  },
  {
    ...shared,
    id: 'moved-edited',
    title: "Firefox's body with other IDs from another address",
    async run(attempt) {
      const [captured] = await attempt.capture('firefox')
      attempt.move()
      return deliver(attempt, nodeHttps, edited(captured))
    },
  },
  {
    ...shared,
    id: 'moved-user-agent',
    title: "Chromium's body, with a header that names another system",
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const forged = edited(captured)
      return deliver(attempt, nodeHttps, { ...forged, headers: withHeaders(forged.headers, onWindows) })
    },
  },
  {
    ...shared,
    id: 'moved-windows',
    title: "Chromium's body that says Windows in body and headers, with a fresh ticket and key",
    missing: whyNoProtocol,
    async run(attempt) {
      const [captured] = await attempt.capture('chromium')
      const other = { ...captured, headers: withHeaders(captured.headers, onWindows) }
      const forged = await wellForged(attempt, nodeHttps, other, {
        change({ readings }) {
          if (!readings) return
          readings.user_agent = { value: CHROME_ON_WINDOWS }
          readings.platform = { value: 'Win32' }
        },
      })
      return deliver(attempt, nodeHttps, forged)
    },
  },
]
