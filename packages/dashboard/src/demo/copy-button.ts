import { element } from './element.ts'

const SAID_MS = 1_600

/** A small button that copies a text and says so. */
export function copyButton(what: string, text: string): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `Copy ${what}`, 'data-keep': `copy ${what}` },
    'Copy',
  )
  button.addEventListener('click', () => {
    void copy(text).then((copied) => {
      button.textContent = copied ? 'Copied' : 'Select it'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, SAID_MS)
    })
  })
  return button
}

/** The clipboard exists only on secure origins; localhost is one, a LAN address is not. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
