/** Milliseconds of the machine's monotonic clock, which every process on it shares. */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6
