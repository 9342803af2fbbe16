import type { Content, MediaType } from '@inkling/contract/openapi'
import { type Html, html, type Part } from './html.ts'

type Examples = NonNullable<MediaType['examples']>

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** JSON text with its tokens marked. */
export function jsonCode(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon] = match
    parts.push(html`${text.slice(end, match.index)}`)
    if (string !== undefined && colon !== undefined)
      parts.push(html`<span class="key">${string}</span>${colon}`)
    else parts.push(html`<span class="${string === undefined ? 'word' : 'string'}">${whole}</span>`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

/** A block of code under a line that says what it is. */
export const codeBlock = (title: Part, code: Html): Html =>
  html`<figure class="code"><figcaption>${title}</figcaption>${preformatted(code)}</figure>`

const foldedBlock = (title: Part, code: Html): Html =>
  html`<details class="code"><summary>${title}</summary>${preformatted(code)}</details>`

const preformatted = (code: Html): Html => html`<pre tabindex="0"><code>${code}</code></pre>`

/** The examples of a body: the first one in sight, the others to fold open. */
export const exampleBlocks = (content: Content | undefined, label?: string): Html[] =>
  Object.entries(content ?? {})
    .flatMap(([type, { examples }]) => Object.values(examples ?? {}).map((example) => ({ type, example })))
    .map(({ type, example }, index) => {
      const title = html`${label !== undefined && html`<b>${label}</b> `}${example.summary}`
      return (index === 0 ? codeBlock : foldedBlock)(title, bodyCode(example, type))
    })

/** The short bodies of an error, one block per type: in a line each, as they are sent. */
export const errorBlocks = (content: Content | undefined): Html[] =>
  Object.entries(content ?? {}).map(([type, { examples }]) => {
    const bodies = Object.values(examples ?? {}).map(({ value }) =>
      isJson(type) ? JSON.stringify(value) : String(value).trimEnd(),
    )
    return codeBlock(type, html`${bodies.join('\n')}`)
  })

/** JSON is marked up; other text is shown as it is sent. */
const bodyCode = ({ value }: Examples[string], type: string): Html =>
  isJson(type) || typeof value !== 'string' ? jsonCode(value) : html`${value}`

const isJson = (type: string): boolean => type.startsWith('application/json')
