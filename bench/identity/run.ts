import { parseArgs } from 'node:util'
import { BASELINES } from './baselines/index.ts'
import { inkling } from './inkling-linker.ts'
import type { Linker } from './linker.ts'
import { linkerInput } from './linker-input.ts'
import { loadOperators } from './population/operator.ts'
import { visitsOf } from './population/visits.ts'
import { type Score, scoreLinker } from './score-linker.ts'

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** An additional folder of operators; may be given several times. */
    operators: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
})

const folders = [`${import.meta.dirname}/operators`, ...values.operators]
const operators = (await Promise.all(folders.map(loadOperators))).flat()

function* visits() {
  for (const visit of visitsOf(Number(values.devices), Number(values.seed), operators))
    yield [visit, linkerInput(visit)] as const
}

const linkers: Linker[] = [inkling(), ...BASELINES.map((create) => create())]
for (const linker of linkers) {
  if (values.only && !linker.name.includes(values.only)) continue
  console.log(line(linker.name, await scoreLinker(linker, visits())))
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
