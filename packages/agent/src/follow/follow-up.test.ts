import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

class Channel extends EventTarget {
  readyState = 1
  sent: unknown[] = []
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.readyState = 3
  }
}

/** A page with one channel; `watched` has what listens to the page's end. */
async function openPage() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const page = new EventTarget()
  const listeners: Record<string, (event: object) => void> = {}
  const watched = new Set<unknown>()
  const channel = new Channel()
  vi.stubGlobal(
    'WebSocket',
    Object.assign(
      function open() {
        return channel
      },
      { CONNECTING: 0, CLOSING: 2 },
    ),
  )
  vi.stubGlobal('Element', class {})
  vi.stubGlobal('document', {
    hasFocus: () => true,
    addEventListener: (type: string, listen: (event: object) => void) => {
      const before = listeners[type]
      listeners[type] = (event) => {
        before?.(event)
        listen(event)
      }
    },
  })
  vi.stubGlobal('addEventListener', (type: string, listen: () => void, options?: object) => {
    watched.add(listen)
    page.addEventListener(type, listen, options)
  })

  // Input is watched once, and another file's test may have made it.
  vi.resetModules()
  const { openFollowUp } = await import('./follow-up.ts')
  const done = openFollowUp('https://inkling.example', 'id').report(async () => ({}), Promise.resolve(''))
  const act = (type: string, event: object = {}) =>
    listeners[type]?.({ isTrusted: true, timeStamp: 1, composedPath: () => [{}], ...event })
  const ask = async () => {
    channel.dispatchEvent(new MessageEvent('message', { data: '{"network_check":null}' }))
    await vi.advanceTimersByTimeAsync(0)
  }
  return { page, watched, channel, done, act, ask }
}

test('a page that is left by a click reports it and closes its channel', async () => {
  const { page, watched, channel, done, act, ask } = await openPage()
  await ask()
  expect(channel.sent).toHaveLength(1)
  for (const type of ['pointerdown', 'pointerup']) act(type, { persistentDeviceId: 1 })
  await vi.advanceTimersByTimeAsync(100)
  expect(watched.size).toBe(1)
  page.dispatchEvent(new Event('pagehide'))
  expect(channel.readyState).toBe(3)
  expect(channel.sent).toMatchObject([{ more: true }, { readings: { input: { value: { clicks: 1 } } } }])
  await vi.advanceTimersByTimeAsync(60_000)
  await done
  expect(channel.sent).toHaveLength(2)
})

test('a text without clicks and keys is reported, because programs need neither', async () => {
  const { page, channel, act, ask } = await openPage()
  await ask()
  act('input', { inputType: 'insertText', data: 'text' })
  await vi.advanceTimersByTimeAsync(400)
  expect(channel.sent).toMatchObject([
    { more: true },
    { more: true, readings: { input_traces: { value: { insertions: 1 } } } },
  ])
  page.dispatchEvent(new Event('pagehide'))
})
