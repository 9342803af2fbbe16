import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { inputTraces as Traces } from './input-traces.ts'

const listeners: Record<string, (event: object) => void> = {}
let inputTraces: typeof Traces
beforeAll(async () => {
  // It watches once, and another file's test may have made it.
  vi.resetModules()
  ;({ inputTraces } = await import('./input-traces.ts'))
  vi.stubGlobal('document', {
    addEventListener: (type: string, listen: (event: object) => void) => (listeners[type] = listen),
  })
  inputTraces()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const send = (type: string, field: string, event: object) =>
  listeners[type]?.({ isTrusted: true, composedPath: () => [{ type: field }], ...event })

test('counts nothing of a password field', () => {
  for (const field of ['text', 'password']) {
    send('keydown', field, { code: 'KeyA', key: 'A', getModifierState: () => false })
    send('input', field, { inputType: 'insertText', data: 'A' })
  }
  expect(inputTraces()).toEqual({ keys: 1, capitals: 1, characters: 1 })
})

test('counts nothing of a password that is shown, nor of a field that is meant for one', () => {
  const before = inputTraces()
  const shown = { type: 'password' }
  const key = { isTrusted: true, code: 'KeyA', key: 'A', getModifierState: () => false }
  listeners.keydown?.({ ...key, composedPath: () => [shown] })
  shown.type = 'text'
  for (const field of [shown, { type: 'text', autocomplete: 'new-password' }])
    for (const type of ['keydown', 'input'])
      listeners[type]?.({ ...key, inputType: 'insertText', data: 'A', composedPath: () => [field] })
  expect(inputTraces()).toEqual(before)
})

test('in full screen, the zoom of a page is no window without its bars', () => {
  for (const [name, given] of Object.entries({ screenX: 0, screenY: 0, outerHeight: 1080, innerHeight: 864 }))
    vi.stubGlobal(name, given)
  vi.stubGlobal('devicePixelRatio', 1)
  const at = (clientX: number, clientY: number, zoom: number) =>
    send('pointermove', 'text', {
      ...{ clientX, clientY, screenX: clientX * zoom, screenY: clientY * zoom },
      ...{ timeStamp: 1, type: 'pointermove' },
    })
  at(4, 3, 1.25)
  at(120, 90, 1.1)
  expect(inputTraces()).not.toHaveProperty('repaired')
  at(120, 90, 1)
  expect(inputTraces()).toMatchObject({ repaired: 1 })
})

test('presses without pressure count where the pointer is, and not those of assistive technology', () => {
  vi.stubGlobal('devicePixelRatio', 1)
  const pointer = (type: string, clientX: number, device: number | undefined) =>
    send(type, 'text', { type, clientX, clientY: 9, timeStamp: 1, pressure: 0, persistentDeviceId: device })
  pointer('pointermove', 30, 1)
  pointer('pointerdown', 50, 0)
  pointer('pointerdown', 50, undefined)
  expect(inputTraces()).not.toHaveProperty('flat')
  pointer('pointerdown', 30, undefined)
  pointer('pointerdown', 50, 1)
  expect(inputTraces()).toMatchObject({ flat: 2 })
})

test('of many moves it looks at each eighth, and knows from all of them where the pointer is', () => {
  vi.stubGlobal('devicePixelRatio', 1)
  vi.stubGlobal('visualViewport', { scale: 1 })
  vi.stubGlobal('window', globalThis)
  const pointer = (type: string, clientX: number) =>
    send(type, 'text', { type, clientX, clientY: 9, timeStamp: 1, pressure: 0, persistentDeviceId: 0 })
  for (let move = 0; move < 100; move++) pointer('pointermove', 20)
  for (let move = 0; move < 80; move++) pointer('pointermove', 20.3)
  expect(inputTraces()).toMatchObject({ off_grid: 10 })
  const { flat = 0 } = inputTraces()
  pointer('pointermove', 33)
  pointer('pointerdown', 33)
  expect(inputTraces()).toMatchObject({ flat: flat + 1 })
})

test('throws no error into the page, such as where an event lacks a method that it should have', () => {
  const { keys = 0 } = inputTraces()
  expect(() => send('keydown', 'text', { code: 'KeyA', key: 'A' })).not.toThrow()
  expect(inputTraces()).toMatchObject({ keys: keys + 1 })
})
