import { parseArgs } from 'node:util'
import { openEngine, readEngineName } from './engine/open-engine.ts'
import { type Round, runRound } from './ingest/run-round.ts'
import { addDomain } from './inkling/start-inkling.ts'
import { startNodes } from './inkling/start-nodes.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { saturate } from './load/saturate.ts'
import { visitTemplates } from './load/visit-templates.ts'
import { compareMillion } from './velocity/compare-million.ts'

/**
 * Compares velocity with a list of all visits, with kills in between, and measures what it costs ingest: rounds with and
 * without it in turn, on servers and databases of their own.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    visits: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '32' },
    /** Share of first visits. */
    newcomers: { type: 'string', default: '0.1' },
  },
})
const engine = readEngineName(values.engine)
const seconds = Number(values.seconds)
const WARM_UP_SECONDS = 3

const rate = (round: Round | undefined): string => round?.perSecond.toFixed(0) ?? '-'

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

console.log(describeMachine())
if (Number(values.visits) > 0) {
  const compared = await compareMillion({
    engine,
    visits: Number(values.visits),
    kills: Number(values.kills),
  })
  console.log(
    `${compared.subjects} subjects, ${compared.exact} exact counts, ${compared.wrong.length} of them wrong; ` +
      `${compared.estimated} estimates, the largest error ${(compared.largestError * 100).toFixed(1)} %`,
  )
  for (const line of compared.wrong.slice(0, 20)) console.log(line)
  if (compared.wrong.length > 0) process.exitCode = 1
}
if (Number(values.rounds) > 0) await measureCost()

async function measureCost(): Promise<void> {
  const sides = [await openSide('with', {}), await openSide('without', { COUNT_VELOCITY: 'false' })] as const
  for (let number = 1; number <= Number(values.rounds); number++) {
    // In turn first, so that what grows harms both alike.
    for (const side of number % 2 === 0 ? sides : sides.toReversed()) side.rounds.push(await side.run())
    progress(
      `round ${number}: ${sides.map(({ name, rounds }) => `${rate(rounds.at(-1))}/s ${name}`).join(', ')}`,
    )
  }
  const [on, off] = sides.map(({ rounds }) => ({
    perSecond: rounds.map(({ perSecond }) => perSecond),
    cpu: rounds.map(({ cpuMicroseconds }) => cpuMicroseconds ?? Number.NaN),
  }))
  if (!on || !off) return
  // Round by round, because other programs slow both sides of a round alike.
  const ratio = (ours: readonly number[], theirs: readonly number[]): string => {
    const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN) - 1)
    return `${(median(ratios) * 100).toFixed(1)} %`
  }
  console.log(
    `with velocity ${median(on.perSecond).toFixed(0)}/s and ${median(on.cpu).toFixed(0)} µs of processor time each, ` +
      `without ${median(off.perSecond).toFixed(0)}/s and ${median(off.cpu).toFixed(0)} µs; ` +
      `round by round the rate differs by ${ratio(on.perSecond, off.perSecond)}, the processor time by ${ratio(on.cpu, off.cpu)}`,
  )
  for (const side of sides) await side.stop()
}

async function openSide(name: string, settings: Readonly<Record<string, string>>) {
  const opened = await openEngine({ name: engine, nodes: 1 })
  const [place] = opened.places
  const { domain, public_key: publicKey } = await addDomain(place, 'bench.example')
  const nodes = await startNodes(opened.places, { settings })
  const load = {
    concurrency: Number(values.concurrency),
    newcomers: Number(values.newcomers),
    ports: nodes.ports,
    templates: visitTemplates({ port: nodes.ports[0] ?? 0, publicKey, domain }),
  }
  const pids = [...nodes.pids, ...(opened.postgres ? [opened.postgres.pid()] : [])]
  await saturate({ ...load, seconds: WARM_UP_SECONDS })
  const rounds: Round[] = []
  return {
    name,
    rounds,
    run: () => runRound(pids, { ...load, seconds }),
    async stop() {
      await nodes.stop()
      await opened.stop()
    },
  }
}
