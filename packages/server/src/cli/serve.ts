import { Command } from 'commander'
import { addFirstOwner, type FirstLogin } from '../auth/first-owner.ts'
import { type DomainKeys, registerDomain } from '../auth/register-domain.ts'
import { type Config, readConfig } from '../config.ts'
import { saveDemoKeys } from '../demo/demo-keys.ts'
import { createLog } from '../lib/log.ts'
import { domainStore } from '../store/domains.ts'
import { openStore } from '../store/open-store.ts'
import { userStore } from '../store/users.ts'

const FIRST_DOMAIN = 'localhost'

/** `inkling serve`: runs the server until it is told to stop. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server; an empty data directory gets the domain localhost and a demo')
    .action(async () => {
      const config = readConfig(process.env)
      const log = createLog(config.LOG_LEVEL)
      const first = await firstRun(config)
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

interface FirstRun {
  keys: DomainKeys
  /** Undefined where somebody can sign in already. */
  login: FirstLogin | undefined
}

/** Without any domain there is nothing to serve: the first one is made, with its demo and its owner. */
async function firstRun(config: Config): Promise<FirstRun | undefined> {
  const store = await openStore(config.DATA_DIR)
  try {
    const users = await userStore(store.reads).list()
    if ((await domainStore(store.reads).list()).length > 0) {
      if (users.length === 0) console.log(HOW_TO_SIGN_IN)
      return undefined
    }
    const keys = await registerDomain(store, FIRST_DOMAIN, Date.now())
    if (!keys) return undefined
    await saveDemoKeys(config.DATA_DIR, keys)
    return { keys, login: users.length === 0 ? await addFirstOwner(store, Date.now()) : undefined }
  } finally {
    await store.close()
  }
}

const HOW_TO_SIGN_IN = 'nobody can sign in to the dashboard yet: npx inkling user add EMAIL'

function showFirstRun({ keys, login }: FirstRun): void {
  console.log(`
Inkling made the domain ${keys.domain}. Its keys are shown only now:

  public key       ${keys.public_key}
  private API key  ${keys.api_key}
  secret key       ${keys.secret_key}
`)
  if (login)
    console.log(`Sign in to the dashboard with this login, which is shown only now:

  e-mail           ${login.email}
  password         ${login.password}
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
