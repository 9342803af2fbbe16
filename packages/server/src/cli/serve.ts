import { Command } from 'commander'
import { readConfig, storePlace } from '../composition/config.ts'
import { createLog } from '../lib/log.ts'
import { firstRun, showFirstRun } from './first-run.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** `inkling serve`: runs the server until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server; an empty data directory gets the domain localhost and a demo')
    .action(async () => {
      const config = readConfig(process.env)
      const log = createLog(config.LOG_LEVEL, config.LOG_PRIVACY)
      const stopping = stopOnSignal(config.STOP_SECONDS * 1_000, log)
      const first = await firstRun(storePlace(config))
      // At once: a start that fails afterwards must not take them along.
      if (first) showFirstRun(first)
      // Loaded only now: the other commands need none of it and start faster without.
      const { startServer } = await import('../composition/start-server.ts')
      const server = await startServer(config, log)
      stopping.with(server.close)
      if (server.demoUrl) console.log(`demo page: ${server.demoUrl}`)
      console.log(`dashboard: ${server.dashboardUrl}`)
      console.log(`listening on ${server.address}`)
    })
}
