import { expect, test } from 'vitest'
import { createUsualOfHost, type UsualOfHost } from './usual-of-host.ts'

const SHOP = { domainId: 1, host: 'shop.example' }
const BLOG = { domainId: 1, host: 'blog.shop.example' }

const learnFrom = (usual: UsualOfHost, page: typeof SHOP, count: number, has: boolean, start = 0): void => {
  for (let network = start; network < start + count; network++) usual.learn(page, `91.0.${network}`, has)
}

test('something is usual where ten networks are known to have it, until more than a tenth of the networks come without', () => {
  const usual = createUsualOfHost(10)
  learnFrom(usual, { ...SHOP, host: 'a.shop.example' }, 4, true)
  learnFrom(usual, SHOP, 4, true, 4)
  expect(usual.isUsual(SHOP)).toBeUndefined()
  learnFrom(usual, SHOP, 6, true, 8)
  expect(usual.isUsual(SHOP)).toBe(true)
  for (let visit = 0; visit < 50; visit++) usual.learn(SHOP, '92.0.0', false)
  expect(usual.isUsual(SHOP)).toBe(true)
  usual.learn(SHOP, '92.0.1', false)
  expect([usual.isUsual(SHOP), usual.isUsual({ ...SHOP, domainId: 2 })]).toEqual([false, undefined])
})

test('what a host of a domain never has is not asked of its visitors, though all others have it', () => {
  const usual = createUsualOfHost(10)
  learnFrom(usual, SHOP, 100, true)
  learnFrom(usual, BLOG, 5, false, 100)
  expect([usual.isUsual(SHOP), usual.isUsual(BLOG)]).toEqual([true, false])
})

test('a host that nobody has seen is judged by its domain', () => {
  const usual = createUsualOfHost(10)
  learnFrom(usual, SHOP, 20, true)
  learnFrom(usual, BLOG, 1, false, 20)
  expect([usual.isUsual({ ...SHOP, host: 'made-up.shop.example' }), usual.isUsual(BLOG)]).toEqual([
    true,
    true,
  ])
})
