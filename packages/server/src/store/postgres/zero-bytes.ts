/**
 * PostgreSQL has no text with a zero byte in it, and visitors may send one. In the database it is two characters,
 * of which the first is one that no text has: Unicode keeps it for a program's own use.
 */
const MARK = '\uFDD0'
const ZERO = `${MARK}0`
const MARK_ITSELF = `${MARK}1`

export const toDatabase = (text: string): string =>
  text.includes('\0') || text.includes(MARK)
    ? text.replaceAll(MARK, MARK_ITSELF).replaceAll('\0', ZERO)
    : text

export const fromDatabase = (text: string): string =>
  text.includes(MARK) ? text.replaceAll(ZERO, '\0').replaceAll(MARK_ITSELF, MARK) : text
