const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

function gesture(target) {
  const { left, top, width, height } = target.getBoundingClientRect()
  const at = {
    bubbles: true,
    cancelable: true,
    composed: true,
    clientX: left + width / 3,
    clientY: top + height / 2,
  }
  for (const type of ['pointerover', 'pointermove', 'pointerdown', 'pointerup'])
    target.dispatchEvent(new PointerEvent(type, { ...at, pointerType: 'mouse', pressure: 0.5 }))
  for (const type of ['mousedown', 'mouseup']) target.dispatchEvent(new MouseEvent(type, at))
  target.click()
}

/** As assistants in an extension without a debugger do: whole gestures, a key at a time. */
async function act() {
  await fetch(`/visits/${document.documentElement.dataset.visit}/notes/ready`)
  for (const [id, text] of [
    ['name', 'Ada Lovelace'],
    ['email', 'ada@example.org'],
  ]) {
    const field = document.getElementById(id)
    gesture(field)
    field.focus()
    for (const key of text) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      document.execCommand('insertText', false, key)
      field.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true }))
      await pause(60 + 60 * Math.random())
    }
  }
  gesture(document.getElementById('join'))
}

void act()
