import { Resolver } from 'node:dns/promises'

/** The questions that a check of a crawler asks; `Resolver` of `node:dns/promises` answers them. */
export type CrawlerResolver = Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>

/** One question: the first try, and one more that waits longer. */
const TIMEOUT_MS = 1_500
const TRIES = 2

/** Asks the servers that the machine is set up with. */
export const openCrawlerResolver = (): CrawlerResolver => new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
