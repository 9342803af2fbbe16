import { Command } from 'commander'
import { openServerSecrets } from '../auth/server-secrets.ts'
import { ASN_FILE, type Config, publicUrls, readConfig, storePlace } from '../composition/config.ts'
import { check, checkInstallation, type InstallationCheck } from '../composition/running-state.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { domainStore } from '../store/domains/domains.ts'
import { openStore } from '../store/open-store.ts'
import { isJson, print } from './command-line.ts'

/** `inkling doctor`: checks that this installation works, and says what is missing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check that this installation works; fails when a check fails')
    .action(async (_options, self: Command) => {
      const checks = await runChecks(readConfig(process.env))
      print(checks, isJson(self))
      if (checks.some(({ ok }) => !ok)) process.exitCode = 1
    })
}

async function runChecks(config: Config): Promise<InstallationCheck[]> {
  const [installation, database, server] = await Promise.all([
    checkInstallation({
      dataDir: config.DATA_DIR,
      trustProxy: config.TRUST_PROXY,
      // Opened inside the check, which then reports missing data.
      lookUpIp: (address) => openIpDatabase({ asnFile: ASN_FILE }).lookUp(address),
    }),
    check('database', () => checkDatabase(config)),
    check('server', () => checkServer(config)),
  ])
  return [...installation, database, server]
}

async function checkDatabase(config: Config): Promise<string> {
  const store = await openStore(storePlace(config))
  try {
    const database = await store.check()
    await openServerSecrets(store.secrets)
    const domains = await domainStore(store.reads).list()
    return `${database}, ${domains.length} ${domains.length === 1 ? 'domain' : 'domains'}`
  } finally {
    await store.close()
  }
}

/** Always passes: an installation whose server is not running is not broken. */
async function checkServer(config: Config): Promise<string> {
  const url = `${publicUrls(config).history}/health`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return `${url} answers ${answer.status}`
  } catch {
    return `nothing answers at ${url}`
  }
}
