import { type IdentifyOptions, identify, within } from './identify.ts'
import { placeHoneytokens } from './place-honeytokens.ts'

export interface InteractionOptions extends Omit<IdentifyOptions, 'force'> {
  /** Name of the hidden field for the request ID, added to a form that has none. Default `request_id`. */
  field?: string
  /** How long a submit waits for a request ID, in milliseconds. Default 2,000. */
  submitWaitMs?: number
  /** Whether to put a field and a link into the form that only programs use: see `placeHoneytokens`. */
  honeytokens?: boolean
}

const SUBMIT_WAIT_MS = 2_000
const INTERACTIONS = ['focusin', 'pointerdown', 'keydown', 'input'] as const

/**
 * Identifies when the visitor first touches the form, and again after each submit, because a request ID counts once. A
 * submit that comes earlier waits for the request ID up to `submitWaitMs`, then goes through without it; the backend
 * decides what that means. Returns a function that removes all of this from the form.
 *
 * @example
 * identifyOnInteraction(document.forms.signup, { agentUrl, publicKey })
 */
export function identifyOnInteraction(
  form: HTMLFormElement,
  { field = 'request_id', submitWaitMs = SUBMIT_WAIT_MS, honeytokens, ...options }: InteractionOptions,
): () => void {
  const takeOut = honeytokens && placeHoneytokens(form, options)
  const input = hiddenField(form, field)
  // Browsers restore fields on reload and on going back, with a request ID that has been used.
  input.value = ''
  let current: Promise<void> | undefined
  let waiting = false
  let passing = false

  function identifyOnce(): Promise<void> {
    if (current) return current
    input.value = ''
    const own = identify({ ...options, force: true }).then((result) => {
      // A submit may have given up on this one, and another has started since.
      if (own === current && result.status === 'initialized') input.value = result.requestID
    })
    current = own
    return own
  }

  function onSubmit(event: SubmitEvent): void {
    if (passing || (current && input.value)) {
      // Used now. The value stays, for handlers that read the form; `identifyOnce` clears it.
      current = undefined
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    if (waiting) return
    waiting = true
    void within(submitWaitMs, identifyOnce(), undefined).then(() => {
      waiting = false
      passing = true
      try {
        submitAgain(form, event.submitter)
      } finally {
        passing = false
      }
    })
  }

  const onInteraction = (): void => void identifyOnce()
  for (const name of INTERACTIONS) form.addEventListener(name, onInteraction, { passive: true })
  // In the capture phase, before the page's handlers, so that they run once and with the field filled.
  form.addEventListener('submit', onSubmit, { capture: true })
  return () => {
    for (const name of INTERACTIONS) form.removeEventListener(name, onInteraction)
    form.removeEventListener('submit', onSubmit, { capture: true })
    if (takeOut) takeOut()
  }
}

function hiddenField(form: HTMLFormElement, name: string): HTMLInputElement {
  const found = [...form.elements].find(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && element.name === name,
  )
  if (found) return found
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = name
  input.autocomplete = 'off'
  form.append(input)
  return input
}

/** A control of a form may stand anywhere in the page and name its form. */
const belongsTo = (form: HTMLFormElement, element: HTMLElement | null): element is HTMLButtonElement =>
  (element as HTMLButtonElement | null)?.form === form

/** With the pressed button, because its name and value are sent too. */
function submitAgain(form: HTMLFormElement, submitter: HTMLElement | null): void {
  const button = belongsTo(form, submitter) ? submitter : null
  // From the prototype, because a field may be named like it.
  const { requestSubmit } = HTMLFormElement.prototype
  if (!requestSubmit) {
    pressLike(form, button)
    return
  }
  try {
    requestSubmit.call(form, button)
  } catch {
    // The page has made something else of its button since.
    requestSubmit.call(form)
  }
}

const OF_BUTTONS = [
  'name',
  'value',
  'formaction',
  'formenctype',
  'formmethod',
  'formnovalidate',
  'formtarget',
]

/**
 * What `requestSubmit` does, for Safari before 16: the press of a button that is not seen checks the form's fields, calls
 * the page's handlers and sends the form, unless these prevent it.
 */
function pressLike(form: HTMLFormElement, pressed: HTMLButtonElement | null): void {
  const button = document.createElement('button')
  for (const name of OF_BUTTONS) {
    const value = pressed?.getAttribute(name)
    if (typeof value === 'string') button.setAttribute(name, value)
  }
  button.hidden = true
  // It is none of the page's clicks.
  button.addEventListener('click', (event) => event.stopPropagation())
  form.append(button)
  button.click()
  button.remove()
}
