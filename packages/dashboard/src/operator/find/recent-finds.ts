import { PAGES } from '../pages.ts'
import { type Find, keyOf, type Target } from './find.ts'

const KEY = 'inkling-recent-finds'
export const RECENT_MAX = 8

/** Called each time, because a browser that keeps nothing refuses already to hand it out. */
type Kept = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const thisBrowser: Kept = () => window.localStorage

/** What a user found last on this browser, the latest first. Nobody else who signs in here sees it. */
export function recentFinds(kept: Kept, userId: number): Find[] {
  const stored = quietly(() => JSON.parse(kept().getItem(KEY) ?? 'null') as unknown)
  if (!isRecord(stored) || stored.user !== userId || !Array.isArray(stored.finds)) return []
  return stored.finds.filter(isFind).slice(0, RECENT_MAX)
}

export function rememberFind(kept: Kept, userId: number, { now: _, ...find }: Find): void {
  const others = recentFinds(kept, userId).filter((known) => keyOf(known) !== keyOf(find))
  const finds = [find, ...others].slice(0, RECENT_MAX)
  quietly(() => kept().setItem(KEY, JSON.stringify({ user: userId, finds })))
}

export function forgetFinds(kept: Kept): void {
  quietly(() => kept().removeItem(KEY))
}

/** A browser may refuse to keep anything, and what it kept may be of another release. Then there is nothing recent. */
function quietly<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((text) => typeof text === 'string')

function isFind(value: unknown): value is Find {
  if (!isRecord(value) || !isRecord(value.target)) return false
  const { to, params, search }: { [Name in keyof Target]?: unknown } = value.target
  return (
    PAGES.some(({ path }) => path === to) &&
    isTexts(params) &&
    isTexts(search) &&
    isTexts({ icon: value.icon, title: value.title, about: value.about })
  )
}
