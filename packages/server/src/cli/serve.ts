import { Command } from 'commander'
import type { Logger } from 'pino'
import { type DomainKeys, registerDomain } from '../auth/register-domain.ts'
import { addFirstOwner, type FirstLogin } from '../auth/users.ts'
import { readServerConfig, storePlace } from '../composition/config.ts'
import { listeningProblem } from '../composition/listening-problem.ts'
import { saveDemoKeys } from '../demo/demo-keys.ts'
import { createLog } from '../lib/log.ts'
import { domainStore } from '../store/domains/domains.ts'
import { openStore, type StoreOptions } from '../store/open-store.ts'
import { userStore } from '../store/users/users.ts'

/** `inkling serve`: runs the server until it gets a signal. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the server; an empty data directory gets the domain localhost and a demo')
    .action(async () => {
      // Before anything is made: the keys of a first domain are shown only once.
      const config = await readServerConfig(process.env)
      const log = createLog(config.LOG_LEVEL, config.LOG_PRIVACY)
      const stopping = stopOnSignal(config.STOP_SECONDS * 1_000, log)
      const first = await firstRun(storePlace(config))
      // Printed at once: the keys must not be lost when the start fails later.
      if (first) showFirstRun(first)
      // Loaded here, so that other commands start faster.
      const { startServer } = await import('../composition/start-server.ts')
      const server = await startServer(config, log).catch((error: unknown) => {
        throw listeningProblem(error, config)
      })
      stopping.use(server.close)
      if (server.demoUrl) console.log(`demo page: ${server.demoUrl}`)
      console.log(`dashboard: ${server.dashboardUrl}`)
      console.log(`listening on ${server.address}`)
    })
}

const FIRST_DOMAIN = 'localhost'

interface FirstRun {
  keys: DomainKeys
  /** Undefined when there are users already. */
  login: FirstLogin | undefined
}

/** Makes the first domain, its demo and the first owner; undefined when there is a domain already. */
export async function firstRun(place: StoreOptions): Promise<FirstRun | undefined> {
  const store = await openStore(place)
  try {
    const users = await userStore(store.reads).list()
    if ((await domainStore(store.reads).list()).length > 0) {
      if (users.length === 0) console.log(HOW_TO_SIGN_IN)
      return undefined
    }
    const keys = await registerDomain(store, FIRST_DOMAIN, Date.now())
    if (!keys) return undefined
    // Without the file there is no demo, but the keys have to be shown.
    await saveDemoKeys(place.dataDir, keys).catch((error: Error) =>
      console.error(`there is no demo: ${error.message}`),
    )
    return { keys, login: users.length === 0 ? await addFirstOwner(store, Date.now()) : undefined }
  } finally {
    await store.close()
  }
}

const HOW_TO_SIGN_IN = 'the dashboard has no user yet; add one with: npx inkling user add EMAIL'

export function showFirstRun({ keys, login }: FirstRun): void {
  console.log(`
Inkling created the domain ${keys.domain}. Its keys are not shown again:

  public key       ${keys.public_key}
  private API key  ${keys.api_key}
  secret key       ${keys.secret_key}
`)
  if (login)
    console.log(`Sign in to the dashboard with this login, which is not shown again:

  e-mail           ${login.email}
  password         ${login.password}
`)
}

interface Stopping {
  /** Sets what a signal calls. Until then, a signal ends the process at once. */
  use(stop: () => Promise<void>): void
}

/**
 * Stops the process on SIGINT and SIGTERM with status 0. A second signal, or a stop that takes longer than `limitMs`,
 * ends it at once with status 1. Call this before anything is opened: the kernel ignores a signal to the first process
 * of a container unless it has a handler (https://man7.org/linux/man-pages/man7/pid_namespaces.7.html).
 */
function stopOnSignal(limitMs: number, log: Logger): Stopping {
  let stop: (() => Promise<void>) | undefined
  let stopping = false

  async function end(): Promise<void> {
    if (stopping) process.exit(1)
    if (!stop) process.exit(0)
    stopping = true
    setTimeout(() => {
      log.error({ limitMs }, 'the stop took too long; the next start continues the unfinished work')
      process.exit(1)
    }, limitMs)
    try {
      await stop()
      process.exit(0)
    } catch (error) {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
  return {
    use(given) {
      stop = given
    },
  }
}
