import { type IdentifyOptions, identify } from './identify.ts'
import { within } from './within.ts'

export interface InteractionOptions extends Omit<IdentifyOptions, 'force'> {
  /** Name of the hidden field for the request ID; it is made where the form has none. Default `request_id`. */
  field?: string
  /** How long a submit may wait for a request ID that is on its way, in milliseconds. Default 2,000. */
  submitWaitMs?: number
}

const SUBMIT_WAIT_MS = 2_000
const INTERACTIONS = ['focusin', 'pointerdown', 'keydown', 'input'] as const

/**
 * Identifies when the visitor first touches the form, and again after each submit: a request ID counts
 * once. A submit without one waits a moment for it and then goes through with or without: what is missing
 * is for the backend to judge. Returns what takes it off the form again.
 *
 * @example
 * identifyOnInteraction(document.forms.signup, { agentUrl, publicKey })
 */
export function identifyOnInteraction(
  form: HTMLFormElement,
  { field = 'request_id', submitWaitMs = SUBMIT_WAIT_MS, ...options }: InteractionOptions,
): () => void {
  const input = hiddenField(form, field)
  // Browsers restore fields on reload and on the way back, and that request ID has been used.
  input.value = ''
  let current: Promise<void> | undefined
  let waiting = false
  let passing = false

  function begin(): Promise<void> {
    if (current) return current
    input.value = ''
    const own = identify({ ...options, force: true }).then((result) => {
      // Left behind by a submit that did not wait any longer: the next one has its own.
      if (own === current && result.status === 'initialized') input.value = result.requestID
    })
    current = own
    return own
  }

  function onSubmit(event: SubmitEvent): void {
    if (passing || (current && input.value)) {
      // Used up. The value stays for whoever reads the form after this; the next `begin` empties it.
      current = undefined
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
    if (waiting) return
    waiting = true
    void within(submitWaitMs, begin(), undefined).then(() => {
      waiting = false
      passing = true
      submitAgain(form, event.submitter)
      passing = false
    })
  }

  const onInteraction = (): void => void begin()
  for (const name of INTERACTIONS) form.addEventListener(name, onInteraction, { passive: true })
  // Before the page's own handlers, so that they run once and find the field filled.
  form.addEventListener('submit', onSubmit, { capture: true })
  return () => {
    for (const name of INTERACTIONS) form.removeEventListener(name, onInteraction)
    form.removeEventListener('submit', onSubmit, { capture: true })
  }
}

function hiddenField(form: HTMLFormElement, name: string): HTMLInputElement {
  const found = Array.from(form.elements).find(
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

/** With the button that was pressed, whose name and value are sent too. */
function submitAgain(form: HTMLFormElement, submitter: HTMLElement | null): void {
  // From the prototype: a field may be called `submit`.
  const { requestSubmit, submit } = HTMLFormElement.prototype
  if (requestSubmit) requestSubmit.call(form, form.contains(submitter) ? submitter : null)
  else submit.call(form)
}
