import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { input as Input } from './input.ts'

const listeners: Record<string, (event: object) => void> = {}
let input: typeof Input
beforeAll(async () => {
  // It watches once, and another file's test may have made it.
  vi.resetModules()
  ;({ input } = await import('./input.ts'))
  class Button {
    getBoundingClientRect = () => ({ left: 100, top: 50, width: 80, height: 20 })
  }
  vi.stubGlobal('Element', Button)
  vi.stubGlobal('document', {
    addEventListener: (type: string, listen: (event: object) => void) => (listeners[type] = listen),
    hasFocus: () => false,
  })
  input()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const press = (clientX: number, clientY: number, persistentDeviceId?: number) => {
  for (const type of ['pointerdown', 'pointerup'])
    send(type, { clientX, clientY, persistentDeviceId, target: new Element() })
}
const send = (type: string, event: object) =>
  listeners[type]?.({ isTrusted: true, pointerType: 'mouse', timeStamp: 1, ...event })

test('a button that assistive technology presses while another window has the focus is no click of a mouse', () => {
  press(140, 60)
  send('pointermove', { clientX: 20, clientY: 20 })
  press(140, 60)
  press(140, 60, 0)
  expect(input()).toMatchObject({
    clicks: 0,
    unfocused: 0,
    centred: 0,
    hold_ms: null,
    moves_before_click: null,
  })
})

test('no time between two keys contains what was typed into a password field', () => {
  const key = (timeStamp: number, type: string) =>
    listeners.keydown?.({ isTrusted: true, timeStamp, composedPath: () => [{ type }] })
  key(100, 'text')
  key(200, 'password')
  key(900, 'text')
  expect(input()).toMatchObject({ keys: 0 })
  key(1_000, 'text')
  expect(input()).toMatchObject({ keys: 1, key_gap_ms: 100 })
})

test('a press where the pointer is, or of a device, is a click', () => {
  send('pointermove', { clientX: 140.4, clientY: 60 })
  press(140, 60)
  press(101, 51, 3)
  expect(input()).toMatchObject({ clicks: 2, unfocused: 2, centred: 1, hold_ms: 0, moves_before_click: 2 })
})
