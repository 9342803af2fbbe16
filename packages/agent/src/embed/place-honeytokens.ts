import { type AgentAddress, withoutSlash } from './identify.ts'

type Honeytokens = typeof import('../honeytokens/place-honeytokens.ts')

/**
 * Puts a field and a link into the form that people neither see nor hear nor reach by keyboard. Identifications of the page
 * then say whether a program has filled or followed them, never with what. Where they cannot be loaded the form stays as it
 * is. Returns a function that takes them out.
 *
 * @example
 * placeHoneytokens(document.forms.signup, { agentUrl })
 */
export function placeHoneytokens(
  form: HTMLFormElement,
  { agentUrl }: Pick<AgentAddress, 'agentUrl'>,
): () => void {
  let takeOut: (() => void) | undefined
  let isOver = false
  const url = `${withoutSlash(agentUrl)}/honeytokens.js`
  const loading: Promise<Honeytokens> = import(/* @vite-ignore */ /* webpackIgnore: true */ url)
  loading.then(
    (honeytokens) => {
      if (!isOver) takeOut = honeytokens.placeHoneytokens(form)
    },
    () => undefined,
  )
  return () => {
    isOver = true
    takeOut?.()
  }
}
