import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Attempt, PageOptions } from '../src/attempt.ts'
import type { Engine } from '../src/browser.ts'
import type { Case } from '../src/case.ts'
import { edited, wellForged, whyNoProtocol } from '../src/forge.ts'
import { nodeHttps } from '../src/send/node-clients.ts'
import { deliver } from '../src/send/send.ts'

const shared = { kind: 'forger', family: 'stolen storage' } as const

interface Loot {
  cookie: string
  local?: Record<string, string>
}

/** The victim comes twice, so that device and cookie are known. */
async function rob(attempt: Attempt, engine: Engine): Promise<{ loot: Loot; deviceId: string }> {
  const profile = join(attempt.folder, randomUUID())
  await attempt.visit({ engine, profile })
  const page = await attempt.open({ engine, profile, query: [['act', 'keep']] })
  const { requestId, kept } = await page.note<{ requestId: string; kept: Loot }>('checked')
  await page.close()
  if (!kept.cookie.includes('inkling_id=')) throw new Error('the victim has no cookie')
  const { deviceId } = await attempt.verdict(requestId)
  attempt.move()
  return { loot: kept, deviceId }
}

/** A thief's real browser on another machine's screen and clock, as far as one machine can have two. */
async function comeAs(
  attempt: Attempt,
  victim: Engine,
  thief: Omit<PageOptions, 'query'>,
  { withStorage }: { withStorage: boolean },
): Promise<string> {
  const { loot, deviceId } = await rob(attempt, victim)
  const stored = withStorage ? Object.entries(loot.local ?? {}) : []
  process.env.TZ = 'America/New_York'
  const requestId = await attempt.visit({
    ...thief,
    query: [
      ...loot.cookie.split('; ').map((pair) => ['cookie', pair] as const),
      ...stored.map(([name, value]) => ['local', `${name}=${value}`] as const),
    ],
  })
  await compare(attempt, requestId, deviceId)
  return requestId
}

async function compare(attempt: Attempt, requestId: string, deviceId: string): Promise<void> {
  const verdict = await attempt.verdict(requestId)
  attempt.remark(verdict.deviceId === deviceId ? "got the victim's device" : 'got a device of its own')
}

/** Another machine's window, density, language and graphics card; two thieves differ, or the second would be known. */
const otherChromium = (scale: number, language: string) =>
  ({
    engine: 'chromium',
    args: [
      `--force-device-scale-factor=${scale}`,
      '--window-size=1000,700',
      '--disable-3d-apis',
      `--lang=${language}`,
    ],
    prefs: { intl: { accept_languages: language } },
  }) as const

export const STOLEN: readonly Case[] = [
  {
    ...shared,
    id: 'stolen-cookie-other-engine',
    title: "Chromium's cookie in a Firefox elsewhere",
    run: (attempt) => comeAs(attempt, 'chromium', { engine: 'firefox' }, { withStorage: false }),
  },
  {
    ...shared,
    id: 'stolen-cookie',
    title: "Chromium's cookie in a Chromium elsewhere",
    run: (attempt) => comeAs(attempt, 'chromium', otherChromium(1.5, 'fr'), { withStorage: false }),
  },
  {
    ...shared,
    id: 'stolen-storage',
    title: "Chromium's cookie and local storage, without its key, in a Chromium elsewhere",
    run: (attempt) => comeAs(attempt, 'chromium', otherChromium(1.25, 'es'), { withStorage: true }),
  },
  {
    ...shared,
    id: 'stolen-storage-firefox',
    title: "Firefox's cookie and local storage, without its key, in a Firefox elsewhere",
    run: (attempt) =>
      comeAs(
        attempt,
        'firefox',
        {
          engine: 'firefox',
          prefs: {
            'layout.css.devPixelsPerPx': '1.5',
            'webgl.disabled': true,
            'intl.accept_languages': 'fr',
          },
        },
        { withStorage: true },
      ),
  },
  {
    ...shared,
    id: 'stolen-by-script',
    title: "The victim's cookie and readings, with a fresh ticket and another key, sent by Node",
    missing: whyNoProtocol,
    async run(attempt) {
      const { loot, deviceId } = await rob(attempt, 'chromium')
      const cookieId = /inkling_id=([0-9a-f-]{36})/.exec(loot.cookie)?.[1]
      const [captured] = await attempt.capture('chromium', { withhold: true })
      const forged = await wellForged(attempt, nodeHttps, captured, {
        change(body) {
          body.cookie_id = cookieId
        },
      })
      const requestId = await deliver(attempt, nodeHttps, forged)
      await compare(attempt, requestId, deviceId)
      return requestId
    },
  },
  {
    ...shared,
    id: 'stolen-by-plain-script',
    title: 'The same without a ticket',
    async run(attempt) {
      const { loot, deviceId } = await rob(attempt, 'chromium')
      const cookieId = /inkling_id=([0-9a-f-]{36})/.exec(loot.cookie)?.[1]
      const [captured] = await attempt.capture('chromium', { withhold: true })
      const forged = edited(captured, (body) => {
        body.cookie_id = cookieId
      })
      const requestId = await deliver(attempt, nodeHttps, forged)
      await compare(attempt, requestId, deviceId)
      return requestId
    },
  },
]
