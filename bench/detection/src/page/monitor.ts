/**
 * What services do that watch pages for errors: they wrap the console, requests, timers, listeners and the history, and
 * take notes. Served as a library of the page.
 */
const notes: unknown[] = []
const note = (...what: unknown[]): void => {
  if (notes.push(what) > 200) notes.shift()
}

// biome-ignore lint/suspicious/noExplicitAny: any method of any object
function wrap(object: any, name: string): void {
  const original = object[name]
  object[name] = function (this: unknown, ...list: unknown[]) {
    note(name, list.length)
    return original.apply(this, list)
  }
}

for (const name of ['log', 'info', 'warn', 'error', 'debug', 'groupEnd', 'assert']) wrap(console, name)
for (const name of ['fetch', 'setTimeout', 'setInterval', 'requestAnimationFrame']) wrap(window, name)
for (const name of ['pushState', 'replaceState']) wrap(history, name)
wrap(XMLHttpRequest.prototype, 'open')
wrap(XMLHttpRequest.prototype, 'send')
wrap(EventTarget.prototype, 'addEventListener')
wrap(HTMLCanvasElement.prototype, 'getContext')
for (const type of ['error', 'unhandledrejection', 'click', 'keydown', 'input'])
  window.addEventListener(type, (event) => note(type, event.timeStamp), true)
