import type { Attempt } from '../src/attempt.ts'
import type { Engine } from '../src/browser.ts'
import type { Case } from '../src/case.ts'
import { inBothEngines } from './in-both-engines.ts'

const DAY_MS = 86_400_000

const inBoth = inBothEngines('times')

/** The page waits before its first check, as for consent, while `meanwhile` happens. */
async function later(
  attempt: Attempt,
  engine: Engine,
  meanwhile: () => unknown,
  after: () => unknown = () => undefined,
): Promise<string> {
  const page = await attempt.open({ engine, query: [['act', 'later']] })
  await page.note('ready')
  await meanwhile()
  page.tell('go')
  await after()
  const { requestId } = await page.note<{ requestId: string }>('checked')
  await attempt.final(requestId)
  await page.close()
  return requestId
}

export const TIMES: readonly Case[] = [
  ...inBoth('offline', 'offline when the check begins, and back before it gives up', (attempt, engine) => {
    const { forwarder } = attempt.installation
    return later(
      attempt,
      engine,
      () => {
        forwarder.mode = 'closed'
      },
      async () => {
        await forwarder.refused()
        forwarder.mode = 'open'
      },
    )
  }),
  ...inBoth(
    'wrong-clock',
    'whose clock is three years behind',
    (attempt, engine) => attempt.visit({ engine }),
    {
      at: 'ahead',
    },
  ),
  ...inBoth(
    'open-for-a-day',
    'page open for a day before the check',
    (attempt, engine) => later(attempt, engine, () => attempt.installation.pass(DAY_MS)),
    { movesClock: true },
  ),
]
