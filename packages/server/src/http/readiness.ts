/** Long for a query that takes a millisecond, short for a load balancer that asks every few seconds. */
const ANSWER_WITHIN_MS = 2_000

export type Readiness = 'ready' | 'stopping' | 'the database does not answer'

export interface ReadinessProbe {
  /** Never rejects. */
  ask(): Promise<Readiness>
  /** From now on the answer is `stopping`. */
  stop(): void
}

/**
 * Answers whether the server can take requests.
 * @param queryDatabase a cheap query; concurrent questions share one
 */
export function createReadinessProbe(
  queryDatabase: () => Promise<unknown>,
  answerWithinMs = ANSWER_WITHIN_MS,
): ReadinessProbe {
  let stopping = false
  let asking: Promise<boolean> | undefined

  function databaseAnswers(): Promise<boolean> {
    asking ??= within(answerWithinMs, queryDatabase()).finally(() => {
      asking = undefined
    })
    return asking
  }

  return {
    async ask() {
      const answers = stopping || (await databaseAnswers())
      if (stopping) return 'stopping'
      return answers ? 'ready' : 'the database does not answer'
    },
    stop() {
      stopping = true
    },
  }
}

/** Whether the promise is fulfilled in time. */
async function within(limitMs: number, answer: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), limitMs)
  const answered = answer.then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late.promise]).finally(() => clearTimeout(timer))
}
