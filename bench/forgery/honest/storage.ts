import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Attempt, PageOptions } from '../src/attempt.ts'
import type { Case } from '../src/case.ts'

const visit = (id: string, title: string, options: PageOptions): Case => ({
  kind: 'honest',
  family: 'storage',
  id,
  title,
  run: (attempt) => attempt.visit(options),
})

/** A second visit with the profile of the first; the second is judged. */
async function comeBack(
  attempt: Attempt,
  first: PageOptions,
  second: Partial<PageOptions> = {},
): Promise<string> {
  const profile = join(attempt.folder, randomUUID())
  await attempt.visit({ ...first, profile })
  return attempt.visit({ ...first, ...second, profile })
}

export const STORAGE: readonly Case[] = [
  visit('chromium-storage-blocked', 'Chromium that blocks all cookies and site data', {
    engine: 'chromium',
    prefs: { profile: { default_content_setting_values: { cookies: 2 } } },
  }),
  visit('firefox-storage-blocked', 'Firefox that blocks all cookies and site data', {
    engine: 'firefox',
    prefs: { 'network.cookie.cookieBehavior': 2 },
  }),
  visit('firefox-no-local-storage', 'Firefox without local storage', {
    engine: 'firefox',
    prefs: { 'dom.storage.enabled': false },
  }),
  visit('firefox-no-indexed-db', 'Firefox without IndexedDB', {
    engine: 'firefox',
    prefs: { 'dom.indexedDB.enabled': false },
  }),
  {
    kind: 'honest',
    family: 'storage',
    id: 'chromium-second-visit',
    title: 'Chromium, second visit',
    run: (attempt) => comeBack(attempt, { engine: 'chromium' }),
  },
  {
    kind: 'honest',
    family: 'storage',
    id: 'firefox-second-visit',
    title: 'Firefox, second visit',
    run: (attempt) => comeBack(attempt, { engine: 'firefox' }),
  },
  {
    kind: 'honest',
    family: 'storage',
    id: 'chromium-cleared-all',
    title: 'Chromium, second visit after clearing everything',
    async run(attempt) {
      await attempt.visit({ engine: 'chromium' })
      return attempt.visit({ engine: 'chromium' })
    },
  },
  visit('chromium-cleared-storage', 'Chromium, storage and key cleared while the page is open, cookie kept', {
    engine: 'chromium',
    query: [
      ['act', 'forget'],
      ['keepCookie', 'yes'],
    ],
  }),
  visit('firefox-cleared-storage', 'Firefox, storage and key cleared while the page is open, cookie kept', {
    engine: 'firefox',
    query: [
      ['act', 'forget'],
      ['keepCookie', 'yes'],
    ],
  }),
  visit('chromium-cleared-cookie', 'Chromium, cookie cleared while the page is open', {
    engine: 'chromium',
    query: [['act', 'forget']],
  }),
]
