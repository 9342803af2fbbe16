import type { PatternRow, Weighed } from './pattern.ts'

/**
 * Accounts of an address, as long as they are half of all that are seen there: a carrier or company has bad
 * ones among its many, and must not be accused for them.
 */
export const ofMost = (accounts: readonly (readonly PatternRow[])[], all: number): Weighed =>
  accounts.length * 2 < all ? { count: 0, rows: [] } : { count: accounts.length, rows: accounts.flat() }
