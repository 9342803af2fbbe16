import { availableParallelism, cpus, totalmem } from 'node:os'

/** Describes the machine of a run, without its name. */
export const describeMachine = (): string => {
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${model}), ${memoryGb} GB, ${process.platform}, Node ${process.version}`
}
