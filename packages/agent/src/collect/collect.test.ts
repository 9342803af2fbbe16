import type { ReadingName } from '@inkling/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SOURCES } from '../sources/index.ts'
import { collect } from './collect.ts'
import { Unsupported } from './unsupported.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => {})

/** Waits for messages, which are not faked, without letting time pass. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('keeps what a source gives, at once or later', async () => {
  const { readings, done } = collect({ platform: () => 'Linux', math: () => 'a', css: async () => 'b' })
  await done
  expect(readings).toEqual({ platform: { value: 'Linux' }, math: { value: 'a' }, css: { value: 'b' } })
})

test('tells what a browser lacks from what broke, at once or later', async () => {
  const { readings, done } = collect({
    math: () => {
      throw new Unsupported()
    },
    css: () => Promise.reject(new Unsupported()) as Promise<string>,
    platform: () => {
      throw new TypeError('broken')
    },
    fonts: () => Promise.reject(new TypeError('broken')) as Promise<string[]>,
    codecs: () => {
      throw undefined
    },
  })
  await done
  expect(readings).toEqual({
    math: { error: 'unsupported' },
    css: { error: 'unsupported' },
    platform: { error: 'failed' },
    fonts: { error: 'failed' },
    codecs: { error: 'failed' },
  })
})

test('gives up on a source after its own limit, and only on that one', async () => {
  const { readings, done } = collect(
    { math: never, worker: never, css: () => 'b' },
    { timeLimitMs: 300, longerLimitsMs: { worker: 900 } },
  )
  await settle()
  expect(readings).toEqual({ css: { value: 'b' } })
  await vi.advanceTimersByTimeAsync(300)
  await settle()
  expect(readings).toEqual({ css: { value: 'b' }, math: { error: 'timeout' } })
  await vi.advanceTimersByTimeAsync(600)
  await done
  expect(readings).toEqual({ css: { value: 'b' }, math: { error: 'timeout' }, worker: { error: 'timeout' } })
})

test('an answer that waits behind the timer of a busy page still counts', async () => {
  const { port1, port2 } = new MessageChannel()
  const { readings, done } = collect({
    math: () =>
      new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data)
      }),
  })
  port2.postMessage('late, but there')
  vi.advanceTimersByTime(300)
  await done
  port1.close()
  expect(readings).toEqual({ math: { value: 'late, but there' } })
})

test('ends after the total limit, whatever is left, and changes nothing afterwards', async () => {
  let answer = (_: string) => {}
  const { readings, done } = collect(
    { math: () => 'a', css: () => new Promise((resolve) => (answer = resolve)) },
    { totalLimitMs: 1_000, timeLimitMs: 60_000 },
  )
  await vi.advanceTimersByTimeAsync(1_000)
  await done
  const atEnd = structuredClone(readings)
  answer('too late')
  await settle()
  expect(readings).toEqual(atEnd)
  expect(atEnd).toEqual({ math: { value: 'a' }, css: { error: 'timeout' } })
})

test('starts sources in their order and lets the page have its turn between slow ones', async () => {
  const started: ReadingName[] = []
  const slow = (name: ReadingName) => () => {
    started.push(name)
    vi.advanceTimersByTime(10)
    return name
  }
  const { readings, done } = collect({ math: slow('math'), css: slow('css'), platform: slow('platform') })
  expect(started).toEqual(['math'])
  await done
  expect(started).toEqual(['math', 'css', 'platform'])
  expect(Object.keys(readings)).toEqual(started)
})

test('starts nothing more once it is over', async () => {
  const css = vi.fn(() => 'b')
  const taking = (timeMs: number) => () => {
    vi.advanceTimersByTime(timeMs)
    return 'a'
  }
  const { readings, done } = collect({ math: taking(10), platform: taking(5_000), css })
  await done
  await settle()
  expect(css).not.toHaveBeenCalled()
  expect(readings).toEqual({ math: { value: 'a' }, platform: { value: 'a' }, css: { error: 'timeout' } })
})

test('fails a reading that JSON or the server would not take, and shortens what is too long', async () => {
  const { readings, done } = collect({
    timezone: () => ({ name: 'UTC', offset_minutes: Number.NaN }),
    platform: () => undefined as unknown as string,
    fonts: () => Array.from({ length: 600 }, () => 'x'.repeat(300)),
    math: () => 'x'.repeat(3_000),
  })
  await done
  expect(readings.timezone).toEqual({ error: 'failed' })
  expect(readings.platform).toEqual({ error: 'failed' })
  expect(readings.fonts).toEqual({ value: Array.from({ length: 512 }, () => 'x'.repeat(256)) })
  expect(readings.math).toEqual({ value: 'x'.repeat(2_048) })
})

test('works where there is no browser at all: every source says so', async () => {
  vi.useRealTimers()
  const { readings, done } = collect(SOURCES)
  await done
  expect(Object.keys(readings).sort()).toEqual(Object.keys(SOURCES).sort())
})
