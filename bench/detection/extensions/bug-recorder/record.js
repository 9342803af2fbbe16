/** As recorders of bugs do: console and network of the page that is open, from its start. */
const attached = new Set()

async function record(tabId) {
  if (attached.has(tabId)) return
  attached.add(tabId)
  await chrome.debugger.attach({ tabId }, '1.3')
  for (const domain of ['Runtime', 'Log', 'Network'])
    await chrome.debugger.sendCommand({ tabId }, `${domain}.enable`)
}

const begin = ({ id, url = '' }) => {
  if (url.includes('//localhost')) void record(id)
}
chrome.tabs.onUpdated.addListener((_id, _change, tab) => begin(tab))
chrome.tabs.query({}).then((tabs) => tabs.forEach(begin))
chrome.debugger.onEvent.addListener(() => {})
setInterval(() => chrome.runtime.getPlatformInfo(), 10_000)
