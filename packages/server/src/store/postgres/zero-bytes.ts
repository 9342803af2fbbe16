/**
 * PostgreSQL refuses zero bytes in text, and visitors can send them. They are stored as two characters, the first of
 * which is a noncharacter that Unicode reserves for internal use (https://www.unicode.org/faq/private_use.html).
 */
const ESCAPE = '\uFDD0'
const ESCAPED_ZERO = `${ESCAPE}0`
const ESCAPED_ESCAPE = `${ESCAPE}1`

export const escapeZeroBytes = (text: string): string =>
  text.includes('\0') || text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll('\0', ESCAPED_ZERO)
    : text

export const unescapeZeroBytes = (text: string): string =>
  text.includes(ESCAPE) ? text.replaceAll(ESCAPED_ZERO, '\0').replaceAll(ESCAPED_ESCAPE, ESCAPE) : text
