import { element } from './element.ts'

/** Highlighted JSON with a copy button. */
export function jsonBlock(what: string, json: string): HTMLElement {
  const tokens = jsonTokens(json).map(({ kind, text }) =>
    kind === 'plain' ? text : element('span', { class: `json-${kind}` }, text),
  )
  return block(what, json, element('code', {}, tokens))
}

export function codeBlock(what: string, code: string): HTMLElement {
  return block(what, code, element('code', {}, code))
}

function block(what: string, text: string, code: HTMLElement): HTMLElement {
  return element(
    'div',
    { class: 'code' },
    element('div', { class: 'code-head' }, what, copyButton(what, text)),
    // Focusable, so that the arrow keys can scroll it.
    element('pre', { tabindex: 0, role: 'region', 'aria-label': what, 'data-keep': what }, code),
  )
}

const FEEDBACK_MS = 1_600

/** A button that copies a text and confirms it. */
export function copyButton(what: string, text: string): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `Copy ${what}`, 'data-keep': `copy ${what}` },
    'Copy',
  )
  button.addEventListener('click', () => {
    void copy(text).then((copied) => {
      button.textContent = copied ? 'Copied' : 'Copy failed'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, FEEDBACK_MS)
    })
  })
  return button
}

/** The clipboard is only available on secure origins, such as localhost but not a LAN address. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

type JsonTokenKind = 'key' | 'string' | 'number' | 'word' | 'plain'

interface JsonToken {
  kind: JsonTokenKind
  text: string
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g

/** Splits JSON into tokens for highlighting. Joined again, they give the same text. */
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

/** Indents JSON; returns any other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
