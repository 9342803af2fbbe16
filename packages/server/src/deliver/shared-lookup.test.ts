import { expect, test } from 'vitest'
import type { Resolve } from './safe-fetch.ts'
import { sharedLookup } from './shared-lookup.ts'

/** A resolver that answers a name when the test says. */
function names() {
  const asked: string[] = []
  const answers = new Map<string, () => void>()
  const resolve: Resolve = (hostname, _options, callback) => {
    asked.push(hostname)
    answers.set(hostname, () => callback(null, [{ address: '192.0.2.1', family: 4 }]))
  }
  return { asked, resolve, answer: (hostname: string) => answers.get(hostname)?.() }
}

test('a name whose server is silent is asked for once at a time, however much is sent there', () => {
  const { asked, resolve, answer } = names()
  const lookup = sharedLookup(resolve)
  const told: string[] = []
  const ask = (hostname: string) =>
    lookup(hostname, { all: true }, (_error, [found]) => told.push(`${hostname} ${found?.address}`))
  for (let sends = 0; sends < 100; sends += 1) ask('silent.example')
  ask('well.example')
  answer('well.example')
  expect(asked).toEqual(['silent.example', 'well.example'])
  expect(told).toEqual(['well.example 192.0.2.1'])

  answer('silent.example')
  expect(told).toHaveLength(101)
  ask('silent.example')
  expect(asked).toHaveLength(3)
})
