const startedAt = performance.now()

/** A line on standard error: what is being done, for whoever waits. Standard output is for results. */
export function progress(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)
  process.stderr.write(`${seconds} s  ${text}\n`)
}
