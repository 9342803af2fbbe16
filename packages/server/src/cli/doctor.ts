import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { openServerSecrets } from '../auth/server-secrets.ts'
import { type Config, publicUrls, readConfig, storePlace } from '../composition/config.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { domainStore } from '../store/domains/domains.ts'
import { openStore } from '../store/open-store.ts'
import { check, checkInstallation, type InstallationCheck } from './check-installation.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'

const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))

/** `inkling doctor`: whether this installation can do its work, and what is missing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check this installation')
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
      // Opened where it is used, so that missing data is told as that.
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
    return `${database}, ${domains.length} domains`
  } finally {
    await store.close()
  }
}

/** Not running is no fault of the installation. */
async function checkServer(config: Config): Promise<string> {
  const url = `${publicUrls(config).history}/health`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return `${url} answers ${answer.status}`
  } catch {
    return `nothing answers at ${url}`
  }
}
