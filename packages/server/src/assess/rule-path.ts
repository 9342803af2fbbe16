import type { AgentAction } from '@inkling/contract'

/** More escapes of escapes than any server reads. */
const ROUNDS_MAX = 4

/**
 * Whether a path meets that of a rule. One page has many spellings, and servers differ in which they read: `/%70rivate` is
 * `/private` everywhere (RFC 3986, section 6.2), `/Private` and `/private%2Fx` on some. What keeps agents out applies if any
 * server may read the path so; what lets them in, only if all do.
 */
export function meetsPath(pattern: string, path: string, action: AgentAction): boolean {
  const usual = usualPath(path)
  const meets = matcherOf(usualSpelling(pattern))
  if (action === 'limit') return meets(usual)
  const decoded = usualPath(decodedPath(path))
  if (action === 'allow') return meets(usual) && meets(decoded)
  const meetsInAnyCase = matcherOf(usualSpelling(pattern).toLowerCase())
  return [usual, decoded].some((one) => meetsInAnyCase(one.toLowerCase()))
}

const matcherOf = (pattern: string) =>
  pattern.endsWith('*')
    ? (path: string) => path.startsWith(pattern.slice(0, -1))
    : (path: string) => path === pattern

const UNRESERVED = /[\w.~-]/

/** Escapes that mean the same without are without, the others in capitals; letters beyond ASCII have theirs. */
const usualEscapes = (path: string): string =>
  path
    .replace(/%([\da-f]{2})/gi, (escaped, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return UNRESERVED.test(character) ? character : escaped.toUpperCase()
    })
    .replace(/[^\0-\x7f]+/g, (text) => encodeURIComponent(text.toWellFormed()))

/** The same, with every run of slashes as one. */
const usualSpelling = (path: string): string => usualEscapes(path).replace(/\/+/g, '/')

/** The same, without `.` and `..`. */
function usualPath(path: string): string {
  const segments: string[] = []
  const parts = usualSpelling(path).split('/')
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1
    if (part === '..') {
      if (segments.length > 1) segments.pop()
      if (isLast) segments.push('')
    } else if (part !== '.') segments.push(part)
    else if (isLast) segments.push('')
  })
  return segments.join('/')
}

/** With escaped slashes, backslashes and percent signs read as such, again and again. */
function decodedPath(path: string): string {
  let decoded = path
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = usualEscapes(decoded)
      .replace(/%2F|%5C|\\/g, '/')
      .replaceAll('%25', '%')
    if (next === decoded) break
    decoded = next
  }
  return decoded
}
