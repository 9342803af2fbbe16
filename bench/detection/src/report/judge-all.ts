import type { Configuration } from '../configuration.ts'
import type { RunResult } from '../measure-run.ts'
import { type Judgement, judge } from './judge.ts'

/** A configuration with the results of all its runs. */
export interface Judged {
  configuration: Configuration
  runs: Judgement[]
  /** Why runs have no measurement. */
  errors: string[]
}

export const judgeAll = (configurations: readonly Configuration[], results: readonly RunResult[]): Judged[] =>
  configurations.map((configuration) => {
    const own = results.filter(({ id }) => id === configuration.id)
    return {
      configuration,
      runs: own.flatMap(({ measured }) => (measured ? [judge(measured)] : [])),
      errors: own.flatMap(({ error }) => error ?? []),
    }
  })

export type Answer = (run: Judgement) => boolean | undefined

/** Whether a detector caught a configuration in every run with an answer, and in at least one. */
export function caughtAlways({ runs }: Judged, answer: Answer): boolean | undefined {
  const answers = runs.map(answer).filter((given) => given !== undefined)
  return answers.length === 0 ? undefined : answers.every(Boolean)
}
