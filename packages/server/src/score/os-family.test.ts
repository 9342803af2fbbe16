import { describe, expect, test } from 'vitest'
import { osFamilyOf } from './os-family.ts'

describe('the network stack that a browser should have', () => {
  test.each([
    ['Windows', 'Windows'],
    ['Mac OS X', 'Apple'],
    ['IOS (iPhone)', 'Apple'],
    ['IOS (iPad)', 'Apple'],
    ['Linux', 'Linux'],
    ['Android', 'Linux'],
    ['ChromeOS', 'Linux'],
    ['Unknown', undefined],
    ['FreeBSD', undefined],
    ['Windows Phone', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s: %s', (os, family) => {
    expect(osFamilyOf(os)).toBe(family)
  })
})
