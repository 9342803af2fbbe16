import type { Entry } from './entry.ts'

/** One address or CIDR per line; `#` starts a comment. */
export function* parseLines(text: string): Generator<Entry> {
  for (const range of contentLines(text)) yield { range }
}

/** The lines without comments and blanks. */
export function* contentLines(text: string): Generator<string> {
  for (const line of linesOf(text)) {
    const [content = ''] = line.split('#', 1)
    const trimmed = content.trim()
    if (trimmed !== '') yield trimmed
  }
}

/** Made one by one: a feed may have hundreds of thousands. */
export function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}
