import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EXAMPLES, examplesTable, figuresTable, showAmount } from './examples.ts'
import { MACHINE, MEASURED } from './measured.ts'
import { type Demand, planCapacity } from './plan.ts'

const textOf = (page: string): string =>
  readFileSync(new URL(`../../../docs/deployment/${page}.md`, import.meta.url), 'utf8')
const amountOf = (demand: Demand, name: string): number =>
  planCapacity(demand).lines.find((line) => line.name === name)?.amount ?? Number.NaN
const [laptop, tenMillion, billion, fifth] = Object.values(EXAMPLES)

describe('the guide', () => {
  test('shows the examples and the figures as the model has them', () => {
    // After a change: node -e "import('./bench/src/capacity/examples.ts').then((m) => console.log(m.examplesTable()))"
    expect(textOf('capacity')).toContain(examplesTable())
    expect(textOf('capacity')).toContain(figuresTable())
    expect(textOf('capacity')).toContain(MACHINE)
  })

  test.each(['cores of the nodes', 'rows', 'disk', 'write-ahead log of a day', 'write-ahead log'])(
    'says of a billion a day the same as the model: %s',
    (name) => {
      const found = planCapacity(billion as Demand).lines.find((line) => line.name === name)
      expect(found && textOf('scale')).toContain(found && showAmount(found))
    },
  )
})

describe('a plan', () => {
  test('has one node more than the busiest hour needs, and on SQLite one', () => {
    const cores = amountOf(tenMillion as Demand, 'cores of the nodes')
    expect(amountOf(tenMillion as Demand, 'nodes')).toBe(Math.ceil(cores / 1.5) + 1)
    expect(amountOf(laptop as Demand, 'nodes')).toBe(1)
  })

  test('grows with the visits, and with each share of them that does more', () => {
    const base = { ...tenMillion, events: 0, decisions: 0, proofs: 0 } as Demand
    const cores = (demand: Demand) => amountOf(demand, 'cores of the nodes')
    expect(cores({ ...base, visitsPerDay: 2 * base.visitsPerDay })).toBeCloseTo(2 * cores(base))
    for (const share of ['events', 'decisions', 'proofs'] as const)
      expect(cores({ ...base, [share]: 1 })).toBeGreaterThan(cores(base))
  })

  test('without snapshots keeps none', () => {
    expect(amountOf({ ...tenMillion, snapshots: false } as Demand, 'snapshots')).toBe(0)
  })

  test('says what does not fit in one machine', () => {
    expect(planCapacity({ ...(laptop as Demand), visitsPerDay: 1e8 }).obstacles[0]).toContain(
      'use PostgreSQL',
    )
    expect(planCapacity({ ...(tenMillion as Demand), visitsPerDay: 1e9 }).obstacles[0]).toContain('use Citus')
    expect(planCapacity({ ...(billion as Demand), visitsPerCommit: 1 }).obstacles[0]).toContain('coordinator')
    for (const demand of [laptop, tenMillion, billion, fifth])
      expect(planCapacity(demand as Demand).obstacles).toEqual([])
  })

  test('names the figures it stands on', () => {
    const used = Object.values(EXAMPLES).flatMap((demand) =>
      planCapacity(demand).lines.flatMap(({ figures }) => figures),
    )
    for (const name of used) expect(MEASURED).toHaveProperty(name)
  })
})
