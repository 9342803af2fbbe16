import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoginThrottle } from './login-throttle.ts'

test('four passwords are checked at a time, even when two hundred attempts come at the same moment', async () => {
  const throttle = createLoginThrottle(undefined)
  let checks = 0
  const check = async () => {
    checks += 1
    await setImmediate()
    return undefined
  }
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      throttle
        .attempt({ stranger: true, address: `address ${index}`, account: `account ${index}` }, check)
        .catch(String),
    ),
  )
  expect(checks).toBe(4)
  expect(answers.filter((answer) => answer === 'Error: server is busy')).toHaveLength(196)
})

const failing = () => Promise.resolve(undefined)
const right = () => Promise.resolve('in')

test('a network that guesses locks itself out of the account, and nobody else', async () => {
  const throttle = createLoginThrottle(undefined)
  for (let count = 0; count < 10; count += 1)
    await throttle.attempt({ stranger: true, address: 'attacker', account: 'ada' }, failing)
  await expect(
    throttle.attempt({ stranger: true, address: 'attacker', account: 'ada' }, right),
  ).rejects.toThrow('too many')
  expect(await throttle.attempt({ stranger: true, address: 'home', account: 'ada' }, right)).toBe('in')
})

test('a known device signs in while many networks have locked the account for others', async () => {
  const throttle = createLoginThrottle(undefined)
  const locked: string[] = []
  const onLocked = () => void locked.push('ada')
  const guess = (network: number) =>
    throttle
      .attempt({ stranger: true, address: `network ${network}`, account: 'ada', onLocked }, failing)
      .catch(String)
  const answers = []
  for (let network = 0; network < 40; network += 1) answers.push(await guess(network))
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(30)
  expect(locked).toEqual(['ada'])
  await expect(throttle.attempt({ stranger: true, address: 'cafe', account: 'ada' }, right)).rejects.toThrow(
    'too many',
  )
  expect(
    await throttle.attempt({ stranger: true, address: 'cafe', account: 'ada', device: 'laptop' }, right),
  ).toBe('in')
})

test('a stolen device cookie has ten guesses, and does not use up those of the others', async () => {
  const throttle = createLoginThrottle(undefined)
  const at = (device: string, network: number) => ({
    stranger: true,
    address: `network ${network}`,
    account: 'ada',
    device,
  })
  for (let count = 0; count < 10; count += 1) await throttle.attempt(at('stolen', count), failing)
  await expect(throttle.attempt(at('stolen', 11), right)).rejects.toThrow('too many')
  expect(await throttle.attempt(at('laptop', 12), right)).toBe('in')
})
