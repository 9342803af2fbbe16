import { AppError } from './errors.ts'

export interface ConcurrencyLimit {
  /** @throws AppError `INK_SERVER_BUSY` at the limit */
  refuseWhenFull(): void
  /** @throws AppError `INK_SERVER_BUSY` at the limit, without starting the work */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Limits how many tasks run at once. There is no queue: a rejected client tries again. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let running = 0

  function refuseWhenFull(): void {
    if (running >= max) throw new AppError('INK_SERVER_BUSY')
  }

  return {
    refuseWhenFull,
    async run(work) {
      refuseWhenFull()
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
      }
    },
  }
}
