import { SingleBar } from 'cli-progress'

/** Shows how far work has come. A bar is for people who watch: a script's output stays as it is. */
export async function withProgress<Result>(
  { label, json }: { label: string; json: boolean },
  run: (report: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  if (json || !process.stdout.isTTY) return run(() => {})
  const format = `${label} {bar} {percentage}%`
  const bar = new SingleBar({ format, stream: process.stdout, clearOnComplete: true })
  bar.start(1, 0)
  try {
    return await run((done, total) => {
      bar.setTotal(total)
      bar.update(done)
    })
  } finally {
    bar.stop()
  }
}
