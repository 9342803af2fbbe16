import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  DEFAULT_LINK_WEIGHTS,
  LINK_WEIGHTS,
  type LinkWeights,
  type WeightName,
} from '../../packages/server/src/identify/weights.ts'
import { inkling } from './inkling-linker.ts'
import type { LinkerInput } from './linker.ts'
import { linkerInput } from './linker-input.ts'
import { type Visit, visitsOf } from './population/visits.ts'
import { operatorsOf, POPULATIONS } from './populations.ts'
import { scoreLinker } from './score-linker.ts'

/**
 * Halves and doubles each weight of the linker and prints the effect on false merges and splits, over the fitted
 * populations: the judged ones are for results.
 */

const WEIGHTS_FILE = new URL('../../packages/server/src/identify/weights.ts', import.meta.url)
/** A doubled probability must stay below 1. */
const PROBABILITY_MAX = 0.999

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '1000' },
    only: { type: 'string' },
    /** Writes the effects into the table of weights. */
    write: { type: 'boolean', default: false },
  },
})

const populations = await Promise.all(
  POPULATIONS.filter(({ use }) => use === 'fitted').map(async (population) => {
    const operators = await operatorsOf(population)
    const visits = visitsOf(Number(values.devices), population.seed, operators, population.circumstances)
    return [...visits].map((visit): readonly [Visit, LinkerInput] => [visit, linkerInput(visit)])
  }),
)

/** Mean shares over the populations, per thousand visits. */
async function measure(weights: LinkWeights): Promise<readonly [merges: number, splits: number]> {
  let merges = 0
  let splits = 0
  for (const visits of populations) {
    const score = await scoreLinker(inkling(weights), visits)
    merges += (1_000 * score.falseMerges) / populations.length
    splits += (1_000 * score.falseSplits) / populations.length
  }
  return [merges, splits]
}

const twice = (value: number): number => (value < 1 ? Math.min(PROBABILITY_MAX, value * 2) : value * 2)

const before = await measure(DEFAULT_LINK_WEIGHTS)
console.log(
  `unchanged weights: merges ${before[0].toFixed(2)}, splits ${before[1].toFixed(2)} per thousand visits`,
)

async function effectOf(name: WeightName, value: number): Promise<string> {
  const after = await measure({ ...DEFAULT_LINK_WEIGHTS, [name]: value })
  const rounded = after.map((share, index) => Number((share - (before[index] ?? 0)).toFixed(2)) + 0)
  return `[${rounded.join(', ')}]`
}

for (const name of Object.keys(LINK_WEIGHTS) as WeightName[]) {
  if (values.only && name !== values.only) continue
  const { value } = LINK_WEIGHTS[name]
  const halved = await effectOf(name, value / 2)
  const doubled = await effectOf(name, twice(value))
  console.log(`${name.padEnd(20)} ${String(value).padEnd(6)} halved ${halved}  doubled ${doubled}`)
  const row = new RegExp(`(\\n {2}${name}: weight\\([\\s\\S]*?)\\[[-\\d., ]+\\],\\s*\\[[-\\d., ]+\\]`)
  if (!values.write) continue
  // After each row, because a run takes long and may be interrupted.
  const source = await readFile(WEIGHTS_FILE, 'utf8')
  await writeFile(WEIGHTS_FILE, source.replace(row, `$1${halved}, ${doubled}`))
}
