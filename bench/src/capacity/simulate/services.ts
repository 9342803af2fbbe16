import { MEASURED } from '../measured.ts'

/** Means in ms; `…Spread` is the standard deviation of the logarithm. */
export interface Services {
  visitNodeMs: number
  commitNodeMs: number
  visitOwnerMs: number
  commitOwnerMs: number
  visitCoordinatorMs: number
  commitCoordinatorMs: number
  /** Of the processor time of a node, beside its busy thread. */
  helperShare: number
  processorSpread: number
  /** How long a commit holds the row of its domain. */
  turnMs: number
  diskSpread: number
  journeysMs: number
}

const ms = (name: keyof typeof MEASURED): number => MEASURED[name].value / 1_000
/** Six journeys of a commit within a data centre. Assumed: all measurements were on one machine. */
const JOURNEYS_MS = 6 * 0.2

const COMMON = {
  commitNodeMs: ms('commitNode'),
  helperShare: 1 / 3,
  processorSpread: MEASURED.processorSpread.value,
  diskSpread: MEASURED.diskSpread.value,
  journeysMs: JOURNEYS_MS,
}

/** @param weight processor time of a visit with its proof, event and decisions, in visits */
export const postgresServices = (weight: number): Services => ({
  ...COMMON,
  visitNodeMs: ms('visitNode') * weight,
  turnMs: ms('postgresTurn'),
  visitOwnerMs: ms('postgresVisit') * weight,
  commitOwnerMs: ms('postgresCommit'),
  visitCoordinatorMs: 0,
  commitCoordinatorMs: 0,
})

/** The same on Citus. */
export const citusServices = (weight: number): Services => ({
  ...COMMON,
  visitNodeMs: ms('visitNode') * weight,
  turnMs: ms('citusTurn'),
  visitOwnerMs: ms('citusVisitOwner') * weight,
  commitOwnerMs: ms('citusCommitOwner'),
  visitCoordinatorMs: ms('citusVisitCoordinator') * weight,
  commitCoordinatorMs: ms('citusCommitCoordinator'),
})
