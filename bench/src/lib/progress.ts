const startedAt = performance.now()

/** Prints progress to standard error. Standard output is for results. */
export function progress(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)
  process.stderr.write(`${seconds} s  ${text}\n`)
}
