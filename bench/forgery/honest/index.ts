import type { Case } from '../src/case.ts'
import { CACHES } from './caches.ts'
import { HARDENED } from './hardened.ts'
import { HTTP_VERSIONS } from './http-versions.ts'
import { PAGES } from './pages.ts'
import { STORAGE } from './storage.ts'
import { TIMES } from './times.ts'
import { WINDOWS } from './windows.ts'

/** Nothing drives these browsers, so each point is an accusation of somebody who did nothing. */
export const HONEST: readonly Case[] = [
  ...WINDOWS,
  ...STORAGE,
  ...HTTP_VERSIONS,
  ...PAGES,
  ...CACHES,
  ...TIMES,
  ...HARDENED,
]
