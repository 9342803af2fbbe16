import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { openServerSecrets } from '../packages/server/src/auth/server-secrets.ts'
import { firstRun, showFirstRun } from '../packages/server/src/cli/serve.ts'
import { createSecretBox } from '../packages/server/src/lib/secret-box.ts'
import { openStore } from '../packages/server/src/store/open-store.ts'
import { DemoRefused, seedDemo } from './demo-data/seed-demo.ts'

/**
 * `npm run demo:data`: fills the dashboard with a month of generated traffic that contains every pattern
 * of abuse.
 */
const USAGE = `usage: npm run demo:data -- [options]        (with the server stopped)

  --domain NAME          registered domain, localhost by default
  --days N               how many days back, 30 by default
  --identifications N    approximate number, 20000 by default
  --seed N               1 by default; the same seed and end give the same visits
  --until TIME           end of the period, such as 2026-11-20T18:00Z; now by default
  --data-dir DIR         where the database is; DATA_DIR or ./data by default
  --add                  allow a domain that already has identifications`

class UsageError extends Error {}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        domain: { type: 'string', default: 'localhost' },
        days: { type: 'string', default: '30' },
        identifications: { type: 'string', default: '20000' },
        seed: { type: 'string', default: '1' },
        until: { type: 'string', default: new Date().toISOString() },
        'data-dir': { type: 'string', default: process.env.DATA_DIR || './data' },
        add: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return {
      ...values,
      days: wholeNumber('days', values.days, 1),
      count: wholeNumber('identifications', values.identifications, 1),
      seed: wholeNumber('seed', values.seed, 0),
      endMs: moment(values.until),
    }
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause })
  }
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${name} must be a whole number of at least ${least}`)
  return value
}

function moment(text: string): number {
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) throw new UsageError('--until must be a time, such as 2026-11-20T18:00Z')
  return atMs
}

async function main(): Promise<void> {
  const { help, 'data-dir': dataDir, ...options } = readOptions()
  if (help) return console.log(USAGE)
  const first = await firstRun({ dataDir })
  if (first) showFirstRun(first)
  const store = await openStore({ dataDir })
  const box = createSecretBox((await openServerSecrets(store.secrets)).secret_box_key)
  const bar = new SingleBar({
    format: 'writing visits {bar} {value}/{total} {eta_formatted}',
    noTTYOutput: false,
  })
  try {
    const written = await seedDemo(store, box, {
      ...options,
      onProgress(done, all) {
        if (done === 1) bar.start(all, 0)
        if (done % 100 === 0 || done === all) bar.update(done)
      },
    })
    bar.stop()
    console.log(`${written} identifications written to ${options.domain}; run npm start to see them`)
  } finally {
    bar.stop()
    await store.close()
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError || error instanceof DemoRefused)) throw error
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
