import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { firstRun, showFirstRun } from './first-run.ts'

/** `inkling serve`: runs the server until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server; an empty data directory gets the domain localhost and a demo')
    .action(async () => {
      const config = readConfig(process.env)
      const log = createLog(config.LOG_LEVEL)
      const first = await firstRun(config.DATA_DIR)
      // At once: a start that fails afterwards must not take them along.
      if (first) showFirstRun(first)
      // Loaded only now: the other commands need none of it and start faster without.
      const { startServer } = await import('../main.ts')
      const server = await startServer(config, log)
      if (server.demoUrl) console.log(`demo page: ${server.demoUrl}`)
      console.log(`dashboard: ${server.dashboardUrl}`)
      console.log(`listening on ${server.address}`)
      stopOnSignal(server.close, (error) => log.error({ err: error }, 'could not stop cleanly'))
    })
}

function stopOnSignal(stop: () => Promise<void>, failed: (error: unknown) => void): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // A second signal means: at once.
      if (stopping) process.exit(1)
      stopping = true
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          failed(error)
          process.exit(1)
        },
      )
    })
}
