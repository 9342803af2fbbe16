import { type Components, isPhone, type Visit } from './components.ts'
import type { LinkWeights } from './weights.ts'

/**
 * A decision takes the side whose error is expected to cost less. A false merge blames somebody for what a stranger
 * did, a false split only forgets. A domain may state what the first costs it, in the second.
 */
type Costs = Pick<Visit['domain'], 'falseMergeCost'>

/** From which probability on a new device would cost more than the likeliest known one. */
export function linkedFrom(components: Components, costs: Costs, weights: LinkWeights): number {
  const mergeCost =
    raise(costs, weights) * (isPhone(components) ? weights.mergeCost : weights.desktopMergeCost)
  return mergeCost / (mergeCost + weights.splitCost)
}

/** From which probability on a known device becomes an older one. It changes History, so it needs more. */
export function mergedFrom(costs: Costs, weights: LinkWeights): number {
  const odds = raise(costs, weights) * weights.mergeConfidence
  return odds / (odds + 1 - weights.mergeConfidence)
}

/** How many times the release's cost the domain's is. */
const raise = ({ falseMergeCost }: Costs, { mergeCost, splitCost }: LinkWeights): number =>
  falseMergeCost === undefined ? 1 : (falseMergeCost * splitCost) / mergeCost
