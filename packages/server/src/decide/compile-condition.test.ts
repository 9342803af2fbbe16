import { describe, expect, test } from 'vitest'
import { decisionFacts } from '../../test/decision-facts.ts'
import { numbersFrom } from '../../test/numbers-from.ts'
import { compileCondition } from './compile-condition.ts'

function problemOf(condition: string) {
  const compiled = compileCondition(condition)
  return compiled.valid ? undefined : compiled.problem
}

const ONLY_SUMS = '+ is for numbers and texts; say which with int(…), double(…) or string(…)'

function meets(condition: string, given: Parameters<typeof decisionFacts>[0] = {}): boolean {
  const compiled = compileCondition(condition)
  if (!compiled.valid) throw new Error(`refused: ${compiled.problem.message}`)
  return compiled.meets(decisionFacts(given))
}

describe('a condition', () => {
  test.each([
    ['score > 60.5', { score: 61 }],
    ['score >= 60 && country == "Germany"', { score: 60, country: 'Germany' }],
    ['country in ["Germany", "France"] || asn == 64496', { asn: 64_496 }],
    ['country == null', { country: null }],
    ['signals.vpn == true && flags.vpn', { signals: { vpn: true } }],
    ['signals.vpn || score > 10', { signals: { vpn: null }, score: 11 }],
    ['"cidr" in lists.watch && lists.deny.all(kind, kind != "device")', { lists: { watch: ['cidr'] } }],
    ['fields.plan == "free" && fields.amount > 10', { fields: { plan: 'free', amount: 12 } }],
    ['has(fields.coupon) && fields.coupon.lowerAscii().startsWith("new")', { fields: { coupon: 'NEW10' } }],
    ['velocity.device.accounts.h24 >= 4 && velocity.account.visits.d7 == null', { counted: 4 }],
    ['fields.tags.exists(tag, tag == fields.plan)', { fields: { tags: ['new', 'free'], plan: 'free' } }],
    ['fields.amount + 5.0 > 10 && "a" + host != host', { fields: { amount: 12 } }],
    ['identity.confidence < 0.5 && age_seconds < 600', { identity: { confidence: 0.4 } }],
  ])('is met: %s', (condition, given) => {
    expect(meets(condition, given)).toBe(true)
    expect(meets(`!(${condition})`, given)).toBe(false)
  })

  test.each([
    ['score +\n  1 > country', 'no such overload: int > string', 1, 1],
    ['signals.vpm == true', 'No such key: vpm', 1, 9],
    ['score > 1 &&\n  flags.is_nothing', 'No such key: is_nothing', 2, 9],
    ['country == 3', 'string is never equal to int', 1, 1],
    ['country in [1, 2]', 'string is never equal to int', 1, 1],
    ['score', 'a condition is true or false, and this is of type int', 1, 1],
    ['score >', 'Unexpected token: EOF', 1, 8],
    ['devise == 1', 'Unknown variable: devise', 1, 1],
    ['has(signals.vpm)', 'has is for fields of your own; compare other facts with null', 1, 1],
    ['lists.deny + lists.deny == []', ONLY_SUMS, 1, 1],
    ['size(fields.a + fields.b) > 3', ONLY_SUMS, 1, 6],
    ['fields.tags.exists(tag, tag in fields.others)', 'takes too many steps; look at lists less often', 1, 1],
    ['host.matches("(a+)+$")', 'conditions have no function matches', 1, 1],
  ])('is refused with its place: %s', (condition, message, line, column) => {
    expect(problemOf(condition)).toEqual({ message, line, column })
  })

  test.each([
    [
      'score >= 0 && identity.clones > 3',
      { identity: { clones: null } },
      '“identity.clones > 3” needs a fact',
    ],
    ['velocity.device.visits.m5 > 1', {}, '“velocity.device.visits.m5 > 1” needs a fact that is unknown'],
    ['velocity.account.visits.m5 < 9', { counted: 1 }, 'needs a fact that is unknown'],
    ['signals.vpn', { signals: { vpn: null } }, '“signals.vpn” is unknown for this visit'],
    ['fields.amount > 3', {}, 'No such key: amount'],
    ['fields.amount > 3', { fields: { amount: 'ten' } }, 'no such overload'],
  ])('fails where a fact is missing, and says so: %s', (condition, given, message) => {
    expect(() => meets(condition, given)).toThrow(message)
  })
})

describe('ten thousand hostile conditions', () => {
  const random = numbersFrom(22)
  const upTo = (count: number) => Math.floor(random() * count)
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[upTo(items.length)] ?? items[0]
  const list = () => `[${Array.from({ length: upTo(140) }, (_, index) => index).join(',')}]`

  const repeated = (part: string, between: string): string =>
    Array.from({ length: 1 + upTo(60) }, () => part).join(between)

  const deep = (): string => {
    const [open, close] = pick([
      ['(', ')'],
      ['!(', ')'],
      ['[', ']'],
      ['-(', ')'],
      ['{"a":', '}'],
      ['lists.deny.exists(a, ', ')'],
    ])
    const depth = 40 + upTo(900)
    return `${open.repeat(depth)}${pick(['true', 'score > 1', ''])}${close.repeat(upTo(2) ? depth : upTo(depth))}`
  }
  const long = (): string =>
    Array.from({ length: 200 + upTo(800) }, () => 'score > 1').join(pick([' && ', ' || ', ' + ']))
  const endless = (): string => {
    const body = Array.from({ length: 1 + upTo(60) }, () => 'a > 1').join(' && ')
    const nested = `${list()}.all(a, ${list()}.all(b, ${list()}.all(c, a + b + c > 0)))`
    const doubled = 'cel.bind(a, "xxxxxxxx", '.repeat(1 + upTo(20))
    return pick([
      nested,
      `${list()}.${pick(['all', 'exists', 'map', 'filter'])}(a, ${body}, ${body})`,
      `fields.list.all(a, ${body} && fields.list.exists(b, b == a))`,
      `${doubled}a + a == "")`,
      `host.matches("${'(a*)*'.repeat(1 + upTo(30))}$")`,
      `${list()}.map(a, ${list()}.map(b, ${list()})).size() > 0`,
      `fields.text.split("").map(a, fields.text).join() == ""`,
      `(${repeated('fields.list', ' + ')}).${pick(['all', 'exists'])}(a, a > ${upTo(3)})`,
      `size(${repeated(list(), ' + ')}) > ${upTo(3)}`,
      `fields.list.all(a, ${repeated(`fields.list ${pick(['==', '!='])} fields.other`, ' || ')})`,
      `fields.list.all(a, ${repeated(`!(${pick(['-1', 'fields.text', '[a]'])} in fields.list)`, ' && ')})`,
    ])
  }
  const wrong = (): string => {
    const facts = [
      'score',
      'country',
      'signals.vpn',
      'lists.deny',
      'fields',
      'velocity.device',
      'identity',
    ] as const
    const operators = ['+', '-', '*', '/', '%', '<', '>=', '&&', '? true :'] as const
    const [left, right] = [pick(facts), pick(facts)]
    return `${left} ${pick(operators)} ${right}${pick(['', ' ', '\n', ')', '"', ' == '])}`
  }
  const reaching = (): string => {
    const name = pick(['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__', 'then'])
    return pick([
      `fields.${name}.${name} == 1`,
      `signals.${name} == true`,
      `${name} == 1`,
      `fields["${name}"]["${name}"]("return process")() == 1`,
      `score.${name}.${name}("x") == 1`,
      `type(${name}) == string`,
      `flags["${name}"]`,
    ])
  }
  const noise = (): string =>
    Array.from({ length: upTo(300) }, () =>
      String.fromCodePoint(upTo(20) ? 32 + upTo(95) : upTo(0x2_ffff)),
    ).join('')
  const KINDS = [deep, long, endless, wrong, reaching, noise] as const

  // One nested loop over lists would take minutes, and the test would run out of time.
  test('are refused with their place, or are bounded and have no effect', () => {
    const facts = decisionFacts({
      fields: { list: Array.from({ length: 100 }, (_, index) => index), text: 'x'.repeat(500) },
      counted: 3,
    })
    const before = JSON.stringify(facts)
    let refused = 0
    for (let index = 0; index < 10_000; index += 1) {
      const condition = (KINDS[index % KINDS.length] ?? noise)()
      const compiled = compileCondition(condition)
      if (compiled.valid) {
        expect(() => {
          try {
            expect(typeof compiled.meets(facts)).toBe('boolean')
          } catch (error) {
            if ((error as Error).name === 'AssertionError') throw error
          }
        }, condition).not.toThrow()
      } else {
        refused += 1
        const { message, line, column } = compiled.problem
        expect(message, condition).not.toBe('')
        expect(line, condition).toBeLessThanOrEqual(condition.split('\n').length)
        expect(line * column, condition).toBeGreaterThan(0)
      }
    }
    expect(refused).toBeGreaterThan(8_500)
    expect(JSON.stringify(facts)).toBe(before)
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
})
