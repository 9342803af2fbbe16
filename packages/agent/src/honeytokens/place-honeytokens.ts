import { HONEYTOKEN_COUNTS, HONEYTOKEN_USED, type HoneytokenCounts } from '../sources/honeytokens.ts'
import { hiddenParts } from './hidden-parts.ts'

/** What became of the honeytokens of one form. */
interface Token {
  field: HTMLInputElement
  filled?: boolean
  typed?: boolean
  followed?: boolean
  unattended?: boolean
}

const tokens: Token[] = []
/** Whether a device, or a tool of accessibility in its place, has acted on the page. */
let attended = false

/**
 * Puts a field and a link into the form that people do not see, do not reach by keyboard and do not hear. The agent reports
 * whether they were used, never what was filled in, and the form does not send them. Returns a function that takes them out.
 */
export function placeHoneytokens(form: HTMLFormElement): () => void {
  const { box, field, link } = hiddenParts()
  const token: Token = { field }
  if (tokens.push(token) === 1) startCounting()
  const placed = new AbortController()
  const { signal } = placed
  let reachedByKey = false

  const use = (how: 'filled' | 'typed' | 'followed' | 'unattended'): void => {
    if (token[how]) return
    token[how] = true
    // Not `Event`, which MooTools 1.2 replaces.
    document.dispatchEvent(new CustomEvent(HONEYTOKEN_USED))
  }
  // On the document, before handlers of the form, which may stop the event.
  const listen = <Type extends keyof DocumentEventMap>(
    type: Type,
    handle: (event: DocumentEventMap[Type]) => void,
  ): void => document.addEventListener(type, handle, { capture: true, passive: true, signal })

  listen('keydown', (event) => {
    const { isTrusted, key, target } = event
    // Autofill of browsers makes events of this type without a key.
    const isCharacter = isTrusted && key?.length === 1
    if (target !== field) reachedByKey = !isCharacter
    // Some pages go on to the next field at Enter, whatever field that is.
    else if (isCharacter && !reachedByKey) use('typed')
  })
  listen('input', ({ target }) => {
    if (target === field && field.value) use('filled')
  })
  listen('submit', ({ target }) => {
    if (target !== form || !field.value) return
    use('filled')
    if (!attended) use('unattended')
  })
  link.addEventListener('click', (event) => {
    event.preventDefault()
    use('followed')
  })
  // A program may open its address instead. Whatever fetches links in advance leaves the address of the page as it is.
  addEventListener('hashchange', () => location.hash === link.hash && use('followed'), { signal })
  form.append(box)
  return () => {
    if (field.value) token.filled = true
    placed.abort()
    box.remove()
  }
}

function startCounting(): void {
  const attend = ({ isTrusted }: Event): void => {
    attended ||= isTrusted
  }
  // A click alone is what switch and voice control make.
  for (const type of ['pointerdown', 'keydown', 'click'])
    document.addEventListener(type, attend, { capture: true, passive: true })
  const count = (is: (token: Token) => unknown): number => tokens.filter(is).length
  const shared = globalThis as HoneytokenCounts
  shared[HONEYTOKEN_COUNTS] = () => ({
    placed: tokens.length,
    filled: count(({ field, filled }) => filled || field.value),
    typed: count(({ typed }) => typed),
    followed: count(({ followed }) => followed),
    unattended: count(({ unattended }) => unattended),
  })
}
