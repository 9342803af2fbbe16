import { copyButton } from './copy-button.ts'
import { element } from './element.ts'
import { jsonTokens } from './json-tokens.ts'

/** JSON to look at. It scrolls by itself, so it takes the focus for the arrow keys. */
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
    element('pre', { tabindex: 0, role: 'region', 'aria-label': what, 'data-keep': what }, code),
  )
}
