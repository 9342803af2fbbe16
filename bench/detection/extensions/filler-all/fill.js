/** As form fillers that leave no field out; the person sends the form. */
async function fill() {
  await fetch(`/visits/${document.documentElement.dataset.visit}/notes/ready`)
  for (const field of document.querySelectorAll('form input')) {
    field.focus()
    document.execCommand('insertText', false, 'ada@home.org')
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
}

void fill()
