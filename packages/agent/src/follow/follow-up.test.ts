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

test('a page that is left by a click reports it and closes its channel', async () => {
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
  channel.dispatchEvent(new MessageEvent('message', { data: '{"network_check":null}' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(channel.sent).toHaveLength(1)
  for (const type of ['pointerdown', 'pointerup'])
    listeners[type]?.({ isTrusted: true, timeStamp: 1, persistentDeviceId: 1, composedPath: () => [{}] })
  await vi.advanceTimersByTimeAsync(100)
  expect(watched.size).toBe(1)
  page.dispatchEvent(new Event('pagehide'))
  expect(channel.readyState).toBe(3)
  expect(channel.sent).toMatchObject([{ more: true }, { readings: { input: { value: { clicks: 1 } } } }])
  await vi.advanceTimersByTimeAsync(60_000)
  await done
  expect(channel.sent).toHaveLength(2)
})
