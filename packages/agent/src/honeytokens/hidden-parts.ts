export interface HiddenParts {
  box: HTMLElement
  field: HTMLInputElement
  link: HTMLAnchorElement
}

/** What asks password managers and form fillers to leave a field alone. Not all do as they are asked. */
const LEFT_ALONE: Readonly<Record<string, string>> = {
  // https://developer.1password.com/docs/web/compatible-website-design/
  'data-1p-ignore': '',
  // Only where its user says so: https://github.com/bitwarden/clients/pull/22620
  'data-bwignore': '',
  // https://kylenunery.com/lastpass-autofill-rules
  'data-lpignore': 'true',
  // https://dashlane.github.io/SAWF/
  'data-form-type': 'other',
}

/** Of the box: not off the screen, because that would make a page scroll that is read from right to left. */
const UNSEEN: Readonly<Record<string, string>> = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  'clip-path': 'inset(50%)',
  'pointer-events': 'none',
  'user-select': 'none',
}

/**
 * A field and a link in a box that takes no room and shows nothing. They keep a size of their own and can be focused by
 * script, for programs that leave out what is not displayed.
 */
export function hiddenParts(): HiddenParts {
  // Another one each time, so that it is never an ID of the page.
  const id = `subject-${Math.random().toString(36).slice(2, 8)}`
  const box = document.createElement('div')
  // One by one, which content security policies allow, and above what the page has for all its boxes.
  for (const [name, value] of Object.entries(UNSEEN)) box.style.setProperty(name, value, 'important')
  box.setAttribute('aria-hidden', 'true')

  // Without a name, so that no form sends it, and with an ID that is of no kind of autofill: some fill in hidden fields of a
  // kind that they see beside them (https://support.1password.com/browser-autofill-security). Without a text, which people
  // could find in the page.
  const field = document.createElement('input')
  Object.assign(field, { type: 'text', id, autocomplete: 'off', tabIndex: -1 })
  for (const [name, value] of Object.entries(LEFT_ALONE)) field.setAttribute(name, value)
  const link = document.createElement('a')
  Object.assign(link, { href: `#${id}-more`, tabIndex: -1 })
  box.append(field, link)
  return { box, field, link }
}
