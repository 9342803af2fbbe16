import { parseArgs } from 'node:util'
import { oracle } from './oracle/judge.ts'
import { KNOWN_OPERATORS } from './oracle/rates.ts'
import { visitsOf } from './population/visits.ts'
import { operatorsOf, POPULATIONS } from './populations.ts'

/**
 * How few false merges and splits are possible at all: the decisions of a judge who knows the rates of each population
 * and whose every earlier visit was.
 */

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '3000' },
    population: { type: 'string', multiple: true, default: ['judged'] },
  },
})

interface Decision {
  cohort: string
  isKnown: boolean
  isRight: boolean
  probability: number
  isForeign: boolean
  /** Visits with the same cookie, this one included: a false merge lasts as long as the cookie. */
  lasts: { visits: number }
}

const isWrong = ({ isRight }: Decision): boolean => !isRight

for (const population of POPULATIONS) {
  if (![population.name, population.use, 'all'].some((name) => values.population.includes(name))) continue
  const operators = await operatorsOf(population)
  const names = new Set(operators.map(({ name }) => name))
  const unknown = [...names].filter((name) => !KNOWN_OPERATORS.has(name))
  if (unknown.length > 0) {
    console.log(`${population.name}: no bound, because it does not know the rates of ${unknown.join(', ')}`)
    continue
  }
  const { meet, judge, learn } = oracle(population.circumstances, names)
  const byCookie = new Map<string, Decision['lasts']>()
  const decisions: Decision[] = []
  let visits = 0
  for (const visit of visitsOf(
    Number(values.devices),
    population.seed,
    operators,
    population.circumstances,
    meet,
  )) {
    visits += 1
    const lasts = byCookie.get(visit.cookieId) ?? { visits: 0 }
    lasts.visits += 1
    if (lasts.visits === 1) {
      byCookie.set(visit.cookieId, lasts)
      const { device, probability, isForeign } = judge(visit)
      decisions.push({
        cohort: visit.cohort,
        isKnown: visit.ordinal > 0,
        isRight: device === visit.device,
        probability,
        isForeign,
        lasts,
      })
    }
    learn(visit)
  }
  console.log(`${population.name}: ${visits} visits, ${decisions.length} without a known cookie`)
  // As Inkling does, whatever agrees: who copies readings copies all of them.
  const atHome = decisions.map((one) => (one.isForeign ? { ...one, probability: 0 } : one))
  for (const [name, from, all] of [
    ['costs 4 to 1', 0.8, decisions],
    ['merges .01', thresholdFor(decisions, 0.01 * visits), decisions],
    ['never through a new provider, merges .01', thresholdFor(atHome, 0.01 * visits), atHome],
  ] as const)
    console.log(`  ${name} (from ${from.toFixed(2)}): ${line(all, from, visits)}`)
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    decisions.filter(({ probability }) => Math.min(9, Math.floor(probability * 10)) === tenth),
  )
  console.log(
    `  stated/observed: ${tenths
      .map((some) => {
        const mean = some.reduce((sum, { probability }) => sum + probability, 0) / some.length
        return `${mean.toFixed(2)}/${(some.filter(({ isRight }) => isRight).length / some.length).toFixed(2)} (${some.length})`
      })
      .join('  ')}`,
  )
}

/** From which probability on false merges that last stay below so many visits. */
function thresholdFor(decisions: readonly Decision[], most: number): number {
  let merges = 0
  let from = 1
  for (const decision of [...decisions].sort((a, b) => b.probability - a.probability)) {
    if (isWrong(decision)) merges += decision.lasts.visits
    if (merges > most) return from
    from = decision.probability
  }
  return from
}

function line(decisions: readonly Decision[], from: number, visits: number): string {
  const linked = decisions.filter(({ probability }) => probability >= from)
  const wrong = linked.filter(isWrong)
  const lasting = wrong.reduce((sum, { lasts }) => sum + lasts.visits, 0)
  const known = decisions.filter(({ isKnown }) => isKnown)
  const lost = known.filter((one) => isWrong(one) || one.probability < from)
  const share = (cohort: string): string => {
    const all = known.filter((one) => one.cohort === cohort)
    const right = all.filter((one) => one.isRight && one.probability >= from)
    return `${cohort} ${(right.length / all.length).toFixed(3)}`
  }
  return [
    `merges ${(wrong.length / visits).toFixed(4)}, with the visits that follow ${(lasting / visits).toFixed(4)}`,
    `splits ${(lost.length / visits).toFixed(4)}`,
    `relinked ${['android', 'desktop', 'fleet', 'phone'].map(share).join(' ')}`,
  ].join('  ')
}
