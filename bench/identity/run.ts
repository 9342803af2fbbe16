import { parseArgs } from 'node:util'
import { BASELINES } from './baselines/index.ts'
import { inkling } from './inkling-linker.ts'
import type { Linker } from './linker.ts'
import { linkerInput } from './linker-input.ts'
import { loadOperators } from './population/operator.ts'
import { type Visit, visitsOf } from './population/visits.ts'
import { operatorsOf, POPULATIONS } from './populations.ts'
import { type Reliability, type Score, scoreLinker } from './score-linker.ts'

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** An additional folder of operators; may be given several times. */
    operators: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    /** Measures Inkling on these of `populations.ts` instead, or on `all`; may be given several times. */
    population: { type: 'string', multiple: true, default: [] },
    /** What the domain says that a false merge costs, in false splits. */
    'false-merge-cost': { type: 'string' },
  },
})

const devices = Number(values.devices)
const cost = values['false-merge-cost'] === undefined ? undefined : Number(values['false-merge-cost'])

function* inputs(visits: Iterable<Visit>) {
  for (const visit of visits) yield [visit, linkerInput(visit)] as const
}

const reliabilityText = ({ searches, stated, observed }: Reliability): string =>
  `${stated.toFixed(2)}/${observed.toFixed(2)} (${searches})`

if (values.population.length > 0) await measurePopulations()
else await compareLinkers()

async function compareLinkers(): Promise<void> {
  const folders = [`${import.meta.dirname}/operators`, ...values.operators]
  const operators = (await Promise.all(folders.map(loadOperators))).flat()
  for (const linker of [inkling(undefined, cost), ...BASELINES.map((create) => create())] as Linker[]) {
    if (values.only && !linker.name.includes(values.only)) continue
    const score = await scoreLinker(linker, inputs(visitsOf(devices, Number(values.seed), operators)))
    console.log(line(linker.name, score))
  }
}

async function measurePopulations(): Promise<void> {
  for (const population of POPULATIONS) {
    if (![population.name, population.use, 'all'].some((name) => values.population.includes(name))) continue
    const operators = await operatorsOf(population)
    const visits = visitsOf(devices, population.seed, operators, population.circumstances)
    const score = await scoreLinker(inkling(undefined, cost), inputs(visits))
    console.log(line(`${population.name} (${population.use})`, score))
    console.log(`  stated/observed (searches): ${score.reliability.map(reliabilityText).join('  ')}`)
  }
}

function line(name: string, score: Score): string {
  const shares = (by: Record<string, number>) =>
    Object.entries(by)
      .map(([cohort, share]) => `${cohort} ${share.toFixed(3)}`)
      .join(' ')
  return [
    name.padEnd(18),
    `merge ${score.falseMerges.toFixed(4)} (${shares(score.falseMergesBy)})`,
    `split ${score.falseSplits.toFixed(4)}`,
    `relinked ${score.relinked.toFixed(3)} (${shares(score.relinkedBy)})`,
    `ids ${score.idsPerDevice.toFixed(2)} (${shares(score.idsPerDeviceBy)})`,
    `days ${score.trackedDays.toFixed(1)}/${score.ceilingDays.toFixed(1)}`,
    `ownership ${score.ownership.toFixed(3)}`,
    `${score.visits} visits ${score.seconds.toFixed(0)} s`,
  ].join('  ')
}
