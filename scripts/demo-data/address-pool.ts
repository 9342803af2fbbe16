import type { Chance } from '../../bench/identity/population/chance.ts'
import type { AddressClass, IpFacts } from '../../packages/server/src/enrich/ip/ip-facts.ts'

export type LineKind = Extract<AddressClass, 'residential' | 'mobile' | 'hosting'>

/** Public IPv4 addresses by their class in the bundled data, so that demo visits get realistic scores. */
export interface AddressPool {
  /** @param code ISO 3166 code; a country without such addresses gives a residential one */
  draw(kind: LineKind, code: string, chance: Chance): string
}

const KINDS: readonly LineKind[] = ['residential', 'mobile', 'hosting']
const TRIES_MAX = 60
/** Offsets to try within a block of 65,536, because blocks are often split between countries. */
const PROBES = ['64.1', '192.1']

/**
 * Names of residential providers. Other networks outside of data centers belong to offices, armies and
 * schools.
 */
const CARRIERS =
  /tele|cable|broadband|communications|mobil|vodafone|orange|virgin|comcast|charter|verizon|at&t|proximus|swisscom|free sas|ziggo|bouygues|fastweb/i

export function addressPool(lookUp: (address: string) => IpFacts): AddressPool {
  const blocks = new Map<string, string[]>()
  for (let first = 1; first < 224; first++)
    for (let second = 0; second < 256; second++) {
      const facts = PROBES.map((rest) => lookUp(`${first}.${second}.${rest}`))
      const [fact] = facts
      const kind = KINDS.find((name) => facts.every((other) => other.class === name))
      if (!kind || !fact?.countryCode || facts.some(({ countryCode }) => countryCode !== fact.countryCode))
        continue
      if (kind === 'residential' && !CARRIERS.test(fact.organization ?? '')) continue
      const key = `${kind} ${fact.countryCode}`
      const known = blocks.get(key)
      if (known) known.push(`${first}.${second}`)
      else blocks.set(key, [`${first}.${second}`])
    }

  function draw(kind: LineKind, code: string, chance: Chance): string {
    const found = blocks.get(`${kind} ${code}`)
    if (!found && kind !== 'residential') return draw('residential', code, chance)
    if (!found) throw new RangeError(`no ${kind} addresses are known in ${code}`)
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const address = `${chance.pick(found)}.${chance.below(256)}.${1 + chance.below(254)}`
      const { countryCode, class: kindThere } = lookUp(address)
      if (countryCode === code && kindThere === kind) return address
    }
    throw new RangeError(`too few ${kind} addresses in ${code}`)
  }
  return { draw }
}
