import type { ReadingName } from '@inkling/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SOURCES } from '../sources/index.ts'
import { collect } from './collect.ts'
import { Unsupported } from './source.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => {})

/** Lets messages, which are not faked, arrive without moving the clock. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('keeps what a source returns, at once or later', async () => {
  const { readings, done } = collect({
    platform: () => 'Linux',
    rounding: () => 'a',
    user_agent: async () => 'b',
  })
  await done
  expect(readings).toEqual({
    platform: { value: 'Linux' },
    rounding: { value: 'a' },
    user_agent: { value: 'b' },
  })
})

test('separates what a browser lacks from what broke, at once or later', async () => {
  const { readings, done } = collect({
    rounding: () => {
      throw new Unsupported()
    },
    user_agent: () => Promise.reject(new Unsupported()) as Promise<string>,
    platform: () => {
      throw new TypeError('broken')
    },
    typefaces: () => Promise.reject(new TypeError('broken')) as Promise<string[]>,
    codecs: () => {
      throw undefined
    },
  })
  await done
  expect(readings).toEqual({
    rounding: { error: 'unsupported' },
    user_agent: { error: 'unsupported' },
    platform: { error: 'failed' },
    typefaces: { error: 'failed' },
    codecs: { error: 'failed' },
  })
})

test('gives up on a source that never answers, and only on that one', async () => {
  const { readings, done } = collect({ rounding: never, user_agent: () => 'b' }, { limitMs: 300 })
  await settle()
  expect(readings).toEqual({ user_agent: { value: 'b' } })
  await vi.advanceTimersByTimeAsync(300)
  await done
  expect(readings).toEqual({ user_agent: { value: 'b' }, rounding: { error: 'timeout' } })
})

test('an answer queued behind the timer of a busy page still counts', async () => {
  const { port1, port2 } = new MessageChannel()
  const { readings, done } = collect({
    rounding: () =>
      new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data)
      }),
  })
  port2.postMessage('late, but there')
  vi.advanceTimersByTime(1_000)
  await done
  port1.close()
  expect(readings).toEqual({ rounding: { value: 'late, but there' } })
})

test('ends at the limit, and changes nothing afterwards', async () => {
  let answer = (_: string) => {}
  const { readings, done } = collect(
    { rounding: () => 'a', user_agent: () => new Promise((resolve) => (answer = resolve)) },
    { limitMs: 1_000 },
  )
  await vi.advanceTimersByTimeAsync(1_000)
  await done
  const atEnd = structuredClone(readings)
  answer('too late')
  await settle()
  expect(readings).toEqual(atEnd)
  expect(atEnd).toEqual({ rounding: { value: 'a' }, user_agent: { error: 'timeout' } })
})

test('starts sources in their order and lets the page run between slow ones', async () => {
  const started: ReadingName[] = []
  const slow = (name: ReadingName) => () => {
    started.push(name)
    vi.advanceTimersByTime(10)
    return name
  }
  const { readings, done } = collect({
    rounding: slow('rounding'),
    user_agent: slow('user_agent'),
    platform: slow('platform'),
  })
  await undefined
  expect(started).toEqual(['rounding'])
  await done
  expect(started).toEqual(['rounding', 'user_agent', 'platform'])
  expect(Object.keys(readings)).toEqual(started)
})

test('starts no source after the end', async () => {
  const user_agent = vi.fn(() => 'b')
  const taking = (timeMs: number) => () => {
    vi.advanceTimersByTime(timeMs)
    return 'a'
  }
  const { readings, done } = collect({ rounding: taking(10), platform: taking(5_000), user_agent })
  await done
  await settle()
  expect(user_agent).not.toHaveBeenCalled()
  expect(readings).toEqual({
    rounding: { value: 'a' },
    platform: { value: 'a' },
    user_agent: { error: 'timeout' },
  })
})

test('fails a reading that JSON or the server would refuse, and shortens long ones', async () => {
  const { readings, done } = collect({
    timezone: () => ({ name: 'UTC', offset_minutes: Number.NaN }),
    platform: () => undefined as unknown as string,
    typefaces: () => Array.from({ length: 600 }, () => 'x'.repeat(300)),
    rounding: () => 'x'.repeat(3_000),
  })
  await done
  expect(readings.timezone).toEqual({ error: 'failed' })
  expect(readings.platform).toEqual({ error: 'failed' })
  expect(readings.typefaces).toEqual({ value: Array.from({ length: 512 }, () => 'x'.repeat(256)) })
  expect(readings.rounding).toEqual({ value: 'x'.repeat(2_048) })
})

test('works without a browser: every source reports an error', async () => {
  vi.useRealTimers()
  const { readings, done } = collect(SOURCES)
  await done
  expect(Object.keys(readings).sort()).toEqual(Object.keys(SOURCES).sort())
})
