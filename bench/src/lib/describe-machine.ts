import { availableParallelism, cpus, totalmem } from 'node:os'

/** What numbers of this run belong to, without naming the machine. */
export const describeMachine = (): string => {
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${model}), ${memoryGb} GB, ${process.platform}, Node ${process.version}`
}
