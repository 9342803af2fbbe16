/** Long for a query that takes a millisecond, short for a load balancer that asks every few seconds. */
const ANSWER_WITHIN_MS = 2_000
/** How long an answer waits to tell whether reads are slow. */
const READS_WITHIN_MS = 250

/** With busy reads the server takes visits, so it must not be taken out of a load balancer. */
export type Readiness = 'ready' | 'ready, but reads are busy' | 'stopping' | 'the database does not answer'

export interface ReadinessProbe {
  /** Never rejects. */
  ask(): Promise<Readiness>
  /** From now on the answer is `stopping`. */
  stop(): void
}

interface ReadinessDeps {
  /** Asks the database over a connection of its own; concurrent questions share one query. */
  probe(): Promise<unknown>
  /** A cheap query over the connections of requests. */
  read(): Promise<unknown>
  answerWithinMs?: number
  readsWithinMs?: number
}

/** Answers whether the server can take requests. */
export function createReadinessProbe(deps: ReadinessDeps): ReadinessProbe {
  const { answerWithinMs = ANSWER_WITHIN_MS, readsWithinMs = READS_WITHIN_MS } = deps
  let stopping = false
  const database = shared(() => within(answerWithinMs, deps.probe()))
  // While reads are busy, one question waits among them, not one of each caller.
  const reading = shared(() => deps.read())

  return {
    async ask() {
      if (stopping) return 'stopping'
      const answers = await database()
      const reads = answers && (await within(readsWithinMs, reading()))
      if (stopping) return 'stopping'
      if (!answers) return 'the database does not answer'
      return reads ? 'ready' : 'ready, but reads are busy'
    },
    stop() {
      stopping = true
    },
  }
}

/** A function whose concurrent calls share one run. */
function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
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
