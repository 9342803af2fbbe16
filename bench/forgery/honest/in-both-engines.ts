import type { Attempt } from '../src/attempt.ts'
import { ENGINES, type Engine } from '../src/browser.ts'
import type { Case } from '../src/case.ts'

const NAMES = { chromium: 'Chromium', firefox: 'Firefox' }

/** An honest case of a family, once for each engine. */
export const inBothEngines =
  (family: string) =>
  (
    id: string,
    title: string,
    run: (attempt: Attempt, engine: Engine) => Promise<string>,
    more: Partial<Case> = {},
  ): Case[] =>
    ENGINES.map((engine) => ({
      kind: 'honest',
      family,
      ...more,
      id: `${engine}-${id}`,
      title: `${NAMES[engine]}, ${title}`,
      run: (attempt) => run(attempt, engine),
    }))
