import { expect, test } from 'vitest'
import { createFairShares } from './fair-shares.ts'

test('the group that uses most gives way first, with its largest holder', () => {
  const shares = createFairShares<string>()
  shares.set('quiet', 'home', 100)
  for (let count = 0; count < 50; count += 1) shares.set(`loud ${count}`, 'flood', 10 + count)
  expect(shares.total()).toBe(100 + shares.amountOf('flood'))
  const gone: string[] = []
  while (shares.total() > 100) {
    const greediest = shares.greediest() ?? ''
    gone.push(greediest)
    shares.remove(greediest)
    // Below twice the quiet one's share, both are alike.
    if (shares.amountOf('flood') < 200) break
  }
  expect(gone[0]).toBe('loud 49')
  expect(gone).not.toContain('quiet')
})

test('a holder that grows, moves to another group or leaves is counted where it is', () => {
  const shares = createFairShares<string>()
  shares.set('a', 'balancer', 1)
  shares.set('a', 'client', 1)
  expect([shares.amountOf('balancer'), shares.amountOf('client'), shares.total()]).toEqual([0, 1, 1])
  shares.set('a', 'client', 70_000)
  shares.set('b', 'other', 5)
  expect([shares.greediestGroup(), shares.greediest()]).toEqual(['client', 'a'])
  shares.set('a', 'client', 0)
  expect([shares.greediestGroup(), [...shares.holdersOf('client')], shares.total()]).toEqual(['other', [], 5])
  shares.set('b', 'other', 0)
  expect([shares.greediest(), shares.total()]).toEqual([undefined, 0])
})
