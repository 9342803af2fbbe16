import { parseArgs } from 'node:util'
import { blockList, inkling, maxmind } from './ip/contenders.ts'
import { measureMemory } from './ip/measure-memory.ts'
import { randomAddresses } from './ip/random-addresses.ts'
import { runRounds } from './ip/run-rounds.ts'
import { describeMachine } from './lib/describe-machine.ts'
import { progress } from './lib/progress.ts'
import { median } from './lib/samples.ts'

/**
 * Compares address lookups with the usual reader of the same file and with Node's BlockList, on the same
 * addresses.
 */
const { values } = parseArgs({
  options: {
    addresses: { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '9' },
    seed: { type: 'string', default: '1' },
  },
})
const count = Number(values.addresses)
const rounds = Number(values.rounds)
const seed = Number(values.seed)
/** Node's BlockList checks all ranges for each address, so more would take minutes. */
const BLOCK_LIST_ADDRESSES = 300

/** The issue's goals. */
const GOAL = { perSecond: 1_000_000, residentMb: 60 }

const ipv4 = randomAddresses(count, 4, seed)
const ipv6 = randomAddresses(count, 6, seed)
const few = ipv4.slice(0, BLOCK_LIST_ADDRESSES)

progress('opening')
const facts = await inkling.open()
const country = await maxmind.open()
const hosting = await blockList.open()

progress(`${rounds} rounds of ${count} addresses`)
const speeds = runRounds(rounds, {
  inkling4: { lookUp: facts, addresses: ipv4 },
  maxmind4: { lookUp: country, addresses: ipv4 },
  inkling6: { lookUp: facts, addresses: ipv6 },
  maxmind6: { lookUp: country, addresses: ipv6 },
  blockList4: { lookUp: hosting, addresses: few },
})

progress('comparing the answers')
const named = (code: string | undefined): string | undefined =>
  code === 'EU' || code === 'ZZ' ? undefined : code
const disagreements = {
  country: [...ipv4, ...ipv6].filter((address) => facts(address).countryCode !== named(country(address)))
    .length,
  hosting: few.filter((address) => (facts(address).hosting ?? false) !== hosting(address)).length,
}

progress('memory, each in a process of its own')
const memory = {
  inkling: await measureMemory('inkling', count),
  maxmind: await measureMemory('maxmind', count),
}

const ratio = (own: readonly number[], other: readonly number[]): number =>
  median(own.map((value, round) => value / (other[round] ?? Number.NaN)))
const perSecond = (samples: readonly number[]): string => Math.round(median(samples)).toLocaleString('en')
const goal = (met: boolean, text: string): string => (met ? text : `MISSED: ${text}`)
const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`
const { inkling4, maxmind4, inkling6, maxmind6, blockList4 } = speeds
const mb = (value: number): string => `${value.toFixed(0)} MB`

console.log(`Lookups of one thread, medians of ${rounds} rounds over ${count.toLocaleString('en')} random addresses, seed ${seed}
${describeMachine()}

| answers | IPv4 a second | Inkling / this | IPv6 a second | Inkling / this | memory, resident | held |
|---|---|---|---|---|---|---|
${line(inkling.name, perSecond(inkling4), '', perSecond(inkling6), '', mb(memory.inkling.residentMb), mb(memory.inkling.heldMb))}
${line(maxmind.name, perSecond(maxmind4), ratio(inkling4, maxmind4).toFixed(2), perSecond(maxmind6), ratio(inkling6, maxmind6).toFixed(2), mb(memory.maxmind.residentMb), mb(memory.maxmind.heldMb))}
${line(blockList.name, perSecond(blockList4), ratio(inkling4, blockList4).toFixed(0), '', '', '', '')}

${goal(median(inkling4) >= GOAL.perSecond && median(inkling6) >= GOAL.perSecond, 'at least 1,000,000 lookups a second')}
${goal(memory.inkling.residentMb < GOAL.residentMb, `under ${GOAL.residentMb} MB`)}
answers that differ: ${disagreements.country} of country, ${disagreements.hosting} of hosting
`)
console.log(JSON.stringify({ count, rounds, seed, speeds, memory, disagreements }))
if (disagreements.country > 0 || disagreements.hosting > 0) process.exitCode = 1
