/** As password managers fill: keys and changes from a script, values set, and the person sends the form. */
async function fill() {
  await fetch(`/visits/${document.documentElement.dataset.visit}/notes/ready`)
  for (const [id, text] of [
    ['name', 'Ada Lovelace'],
    ['email', 'ada@home.org'],
  ]) {
    const field = document.getElementById(id)
    field.focus()
    for (const type of ['keydown', 'keyup']) field.dispatchEvent(new KeyboardEvent(type, { bubbles: true }))
    document.execCommand('insertText', false, text)
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
}

void fill()
