export type JsonTokenKind = 'key' | 'string' | 'number' | 'word' | 'plain'

export interface JsonToken {
  kind: JsonTokenKind
  text: string
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g

/** Pretty JSON cut into tokens; joined again they are the same text. */
export function jsonTokens(json: string): JsonToken[] {
  const tokens: JsonToken[] = []
  let end = 0
  for (const match of json.matchAll(TOKEN)) {
    const [whole, quoted, colon, number] = match
    if (match.index > end) tokens.push({ kind: 'plain', text: json.slice(end, match.index) })
    if (quoted !== undefined) {
      tokens.push({ kind: colon === undefined ? 'string' : 'key', text: quoted })
      if (colon !== undefined) tokens.push({ kind: 'plain', text: colon })
    } else {
      tokens.push({ kind: number === undefined ? 'word' : 'number', text: whole })
    }
    end = match.index + whole.length
  }
  if (end < json.length) tokens.push({ kind: 'plain', text: json.slice(end) })
  return tokens
}

/** Indented when it is JSON, as it is otherwise. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
