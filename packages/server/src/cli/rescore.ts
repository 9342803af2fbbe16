import { namesOne, OwnWeights, SCORED_BANDS } from '@inkling/contract'
import { Command } from 'commander'
import { z } from 'zod'
import { ASN_FILE } from '../composition/config.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { relink, type StoredVisit } from '../identify/relink.ts'
import type { BandMatrix } from '../jobs/rescore/differences.ts'
import { type RescoreWriter, rescore } from '../jobs/rescore/rescore.ts'
import { type StoredVisitRow, storedVisit, storedVisits } from '../jobs/rescore/stored-visits.ts'
import { AppError } from '../lib/errors.ts'
import { type Rules, withOwnWeights } from '../score/rules.ts'
import { domainRulesStore, readWeights } from '../store/domains/domain-rules.ts'
import { openStickyVerdicts } from '../store/identifications/sticky-verdicts.ts'
import { notedChanges } from '../store/roll-ups/counts.ts'
import type { Store } from '../store/store.ts'
import { isJson, parsedBy, print } from './command-line.ts'
import { readJsonFile } from './read-input.ts'
import { inSession } from './session.ts'

const TIME = z.coerce
  .date('Must be a date or time, such as 2026-11-01T12:00Z.')
  .transform((date) => date.getTime())

interface Options {
  since?: number
  rules?: string
  dryRun?: boolean
  identities?: boolean
}

/** `inkling rescore`: scores stored snapshots again, under the current weights or others. */
export function rescoreCommand(): Command {
  return new Command('rescore')
    .argument('<domain>', 'registered domain')
    .description(
      'score stored snapshots again; without --dry-run the changed rows get a new version, but no webhook is sent',
    )
    .option('--since <time>', 'only visits since this date or time, such as 2026-11-01', parsedBy(TIME))
    .option(
      '--rules <file>',
      'JSON file with other weights: {"weights": {"vpn": 25}}; default: the weights that new visits are scored with',
    )
    .option('--dry-run', 'report what would change, and change nothing')
    .option('--identities', 'report what the linker would merge and split; needs --dry-run')
    .action(async (name: string, options: Options, self: Command) => {
      if (options.identities && !options.dryRun)
        throw new AppError('INK_COMMAND', '--identities only reports and never changes a row; add --dry-run')
      const report = await run(name, options)
      print(report, isJson(self))
    })
}

function run(name: string, { since = 0, rules, dryRun, identities }: Options): Promise<object> {
  return inSession(async ({ store, domain }) => {
    const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
    const row = await domain(name)
    const visits = storedVisits(store, row, { sinceMs: since, untilMs: Date.now() }, lookUp)
    if (identities) return presentRelink(await relink(withDevices(visits)))
    const sticky = await openStickyVerdicts(store.reads, Date.now)
    const writer: RescoreWriter = {
      commit: store.commit,
      now: Date.now,
      sticky,
      again: (stored) => storedVisit(store, row, stored, lookUp),
    }
    const changes = notedChanges(store, Date.now)
    const report = rescore(dryRun ? visits : changes.reading(visits), {
      rules: rules === undefined ? await activeRules(store, row.id) : await readRules(rules),
      writer: dryRun ? undefined : writer,
    })
    // An interrupted run has changed rows, too.
    const { identifications, changed, matrix } = await report.finally(() => !dryRun && changes.end())
    return { identifications, changed, by_band: byBand(matrix) }
  })
}

/** The rules that new visits of the domain are scored with. */
async function activeRules(store: Store, domainId: number) {
  const active = await domainRulesStore(store.reads).active(domainId)
  return withOwnWeights(active && { version: active.version, weights: readWeights(active) })
}

const byBand = (matrix: BandMatrix) =>
  Object.fromEntries(
    SCORED_BANDS.map((band) => [
      band,
      {
        before: SCORED_BANDS.reduce((sum, after) => sum + matrix[band][after], 0),
        after: SCORED_BANDS.reduce((sum, before) => sum + matrix[before][band], 0),
      },
    ]),
  )

async function* withDevices(visits: AsyncIterable<StoredVisitRow>): AsyncGenerator<StoredVisit> {
  for await (const { visit } of visits)
    if (namesOne(visit.identity.deviceId)) yield { visit, deviceId: visit.identity.deviceId }
}

const presentRelink = (report: Awaited<ReturnType<typeof relink>>) => ({
  identifications: report.visits,
  devices_before: report.devicesBefore,
  devices_after: report.devicesAfter,
  merges: report.merges,
  splits: report.splits.map(({ deviceId, devices }) => ({ device_id: deviceId, devices })),
})

/** The weights in a file, as in the dashboard; one that is left out keeps its value of the release. */
const RulesFile = z.strictObject({ weights: OwnWeights.default({}) })

/** Reads a file like `{"weights": {"vpn": 25}}`. */
async function readRules(file: string): Promise<Rules> {
  const { weights } = await readJsonFile(file, RulesFile, 'INK_RULES_FILE')
  return withOwnWeights({ version: 'file', weights })
}
