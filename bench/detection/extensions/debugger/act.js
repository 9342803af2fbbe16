const call = (tabId, method, params = {}) => chrome.debugger.sendCommand({ tabId }, method, params)

async function middleOf(tabId, selector) {
  const { root } = await call(tabId, 'DOM.getDocument')
  const { nodeId } = await call(tabId, 'DOM.querySelector', { nodeId: root.nodeId, selector })
  const { model } = await call(tabId, 'DOM.getBoxModel', { nodeId })
  const [left, top, right, , , bottom] = model.content
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

async function click(tabId, selector) {
  const at = { ...(await middleOf(tabId, selector)), button: 'left', clickCount: 1 }
  await call(tabId, 'Input.dispatchMouseEvent', { ...at, type: 'mouseMoved', button: 'none' })
  await call(tabId, 'Input.dispatchMouseEvent', { ...at, type: 'mousePressed' })
  await call(tabId, 'Input.dispatchMouseEvent', { ...at, type: 'mouseReleased' })
}

async function act(tabId, url) {
  const { origin, searchParams } = new URL(url)
  await fetch(`${origin}/visits/${searchParams.get('visit')}/notes/ready`)
  await chrome.debugger.attach({ tabId }, '1.3')
  await click(tabId, '#name')
  await call(tabId, 'Input.insertText', { text: 'Ada Lovelace' })
  await click(tabId, '#email')
  await call(tabId, 'Input.insertText', { text: 'ada@example.org' })
  await click(tabId, '#join')
}

const begun = new Set()

function begin({ id, url = '' }) {
  if (!url.includes('/signup?') || begun.has(id)) return
  begun.add(id)
  void act(id, url)
}

// No event of the tabs, because one that comes while this worker starts is lost. The calls also keep the worker: one that
// calls nothing ends after 30 seconds, however long it has waited for the page.
setInterval(async () => (await chrome.tabs.query({})).forEach(begin), 500)
