import { Refusal } from './refusal.ts'

export interface BoundedWork {
  /** @throws Refusal while as much is under way as may be */
  refuseWhenFull(): void
  /** @throws Refusal as above, without starting the work */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Lets so much work be under way at a time; there is no queue behind it, because whoever is refused comes again. */
export function boundedWork(max: number): BoundedWork {
  let underWay = 0

  function refuseWhenFull(): void {
    if (underWay >= max) throw new Refusal('server_busy', 'server is busy')
  }

  return {
    refuseWhenFull,
    async run(work) {
      refuseWhenFull()
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
      }
    },
  }
}
