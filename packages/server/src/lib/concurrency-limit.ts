import { AppError } from './errors.ts'

export interface ConcurrencyLimit {
  /** @throws AppError while as much is under way as may be */
  refuseWhenFull(): void
  /** @throws AppError as above, without starting the work */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Lets so much work be under way at a time; there is no queue behind it, because whoever is refused comes again. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let underWay = 0

  function refuseWhenFull(): void {
    if (underWay >= max) throw new AppError('INK_SERVER_BUSY')
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
