/** Commits of a node so far. */
export interface Commits {
  count: number
  /** Time that the database took for all of them together. */
  seconds: number
}

/** @param port where the node serves its metrics */
export async function metricsOf(port: number): Promise<Commits> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const totalOf = (name: string): number =>
    Number(new RegExp(`^inkling_commit_batch_seconds_${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { count: totalOf('count'), seconds: totalOf('sum') }
}
