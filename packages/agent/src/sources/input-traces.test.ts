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

test('throws no error into the page, such as in a browser without a visual viewport', () => {
  expect(() => send('pointermove', 'text', { clientX: 0.3, clientY: 1, timeStamp: 1 })).not.toThrow()
})
