import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { relink, type StoredVisit } from '../identify/relink.ts'
import { readRules } from '../rescore/read-rules.ts'
import { rescore } from '../rescore/rescore.ts'
import { type StoredVisitRow, storedVisits } from '../rescore/stored-visits.ts'
import { DEFAULT_RULES } from '../score/rules.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { inSession, OperationFailed } from './session.ts'

const ASN_FILE = fileURLToPath(new URL('../../data/asn.bin', import.meta.url))
const NIL_UUID = /^[0-]+$/

interface Options {
  since?: number
  rules?: string
  dryRun?: boolean
  identities?: boolean
}

/** `inkling rescore`: stored snapshots under other rules, before or after anyone turns them on. */
export function rescoreCommand(): Command {
  return new Command('rescore')
    .argument('<domain>', 'registered domain')
    .description(
      'score stored snapshots again; without --dry-run the rows get a later version, and no event leaves',
    )
    .option('--since <time>', 'only visits since then, such as 2026-11-01', readTime)
    .option('--rules <file>', 'JSON file with other weights: {"weights": {"vpn": 25}}')
    .option('--dry-run', 'only report what would change')
    .option('--identities', 'report what the linker would merge and split; needs --dry-run')
    .action(async (name: string, options: Options, self: Command) => {
      if (options.identities && !options.dryRun)
        throw new OperationFailed('identities are never changed: add --dry-run to see what would be')
      const report = await run(name, options)
      print(report, isJson(self))
    })
}

function run(name: string, { since = 0, rules, dryRun, identities }: Options): Promise<object> {
  return inSession(async ({ store, domain }) => {
    const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
    const visits = storedVisits(store, await domain(name), since, lookUp)
    if (identities) return presentRelink(await relink(withDevices(visits)))
    const { byBand, ...counts } = await rescore(visits, {
      rules: rules === undefined ? DEFAULT_RULES : await readRules(rules),
      commit: dryRun ? undefined : store.commit,
      now: Date.now,
    })
    return { ...counts, by_band: byBand }
  })
}

async function* withDevices(visits: AsyncIterable<StoredVisitRow>): AsyncGenerator<StoredVisit> {
  for await (const { visit } of visits)
    if (!NIL_UUID.test(visit.identity.deviceId)) yield { visit, deviceId: visit.identity.deviceId }
}

const presentRelink = (report: Awaited<ReturnType<typeof relink>>) => ({
  identifications: report.visits,
  devices_before: report.devicesBefore,
  devices_after: report.devicesAfter,
  merges: report.merges,
  splits: report.splits.map(({ deviceId, devices }) => ({ device_id: deviceId, devices })),
})

function readTime(text: string): number {
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('a date or time, such as 2026-11-01T12:00Z')
  return atMs
}
