import { Command } from 'commander'
import { type DomainKeys, registerDomain } from '../auth/register-domain.ts'
import { type Config, readConfig } from '../config.ts'
import { saveDemoKeys } from '../demo/demo-keys.ts'
import { createLog } from '../lib/log.ts'
import { domainStore } from '../store/domains.ts'
import { openStore } from '../store/open-store.ts'

const FIRST_DOMAIN = 'localhost'

/** `inkling serve`: runs the server until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server; an empty data directory gets the domain localhost and a demo')
    .action(async () => {
      const config = readConfig(process.env)
      const log = createLog(config.LOG_LEVEL)
      const firstKeys = await firstRun(config)
      // At once: a start that fails afterwards must not take them along.
      if (firstKeys) showKeys(firstKeys)
      // Loaded only now: the other commands need none of it and start faster without.
      const { startServer } = await import('../main.ts')
      const server = await startServer(config, log)
      if (server.demoUrl) console.log(`demo page: ${server.demoUrl}`)
      console.log(`listening on ${server.address}`)
      stopOnSignal(server.close, (error) => log.error({ err: error }, 'could not stop cleanly'))
    })
}

/** Without any domain there is nothing to serve: the first one is made, with its demo. */
async function firstRun(config: Config): Promise<DomainKeys | undefined> {
  const store = await openStore(config.DATA_DIR)
  try {
    if ((await domainStore(store.reads).list()).length > 0) return undefined
    const keys = await registerDomain(store, FIRST_DOMAIN, Date.now())
    if (keys) await saveDemoKeys(config.DATA_DIR, keys)
    return keys
  } finally {
    await store.close()
  }
}

function showKeys(keys: DomainKeys): void {
  console.log(`
Inkling made the domain ${keys.domain}. Its keys are shown only now:

  public key       ${keys.public_key}
  private API key  ${keys.api_key}
  secret key       ${keys.secret_key}
`)
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
