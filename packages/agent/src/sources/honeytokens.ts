import type { ReadingValues } from '@inkling/contract'

export type Honeytokens = ReadingValues['honeytokens']

/** Under this property of `window` is what counts, for the agent and `placeHoneytokens` are in modules of their own. */
export const HONEYTOKEN_COUNTS = '__inkling_honeytokens'
/** The event of the document when one was used. */
export const HONEYTOKEN_USED = 'inkling-honeytoken'

export type HoneytokenCounts = { [HONEYTOKEN_COUNTS]?: () => NonNullable<Honeytokens> }

/** What became of the fields and links that people do not see; null where the page has none. */
export const honeytokens = (): Honeytokens => (globalThis as HoneytokenCounts)[HONEYTOKEN_COUNTS]?.() ?? null
