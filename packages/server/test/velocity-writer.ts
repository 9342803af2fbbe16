import { openStore } from '../src/store/open-store.ts'
import { readSubjectHashes } from '../src/store/velocity/subject-hashes.ts'
import { type MadeVisit, operationOf, storeVisits } from './made-visits.ts'

/**
 * A process that stores visits until it is killed: it gets them on standard input, and says after each hundred how many
 * are stored.
 */
const WAVE = 100
const [dataDir = '', databaseUrl = '', domainId = ''] = process.argv.slice(2)

const store = await openStore({ dataDir, databaseUrl: databaseUrl === '' ? undefined : databaseUrl })
const hashes = await readSubjectHashes(store.secrets)
const text = (await process.stdin.toArray()).join('')
const visits = JSON.parse(text) as MadeVisit[]
for (let from = 0; from < visits.length; from += WAVE) {
  const wave = visits.slice(from, from + WAVE).map((visit) => operationOf(Number(domainId), hashes, visit))
  await storeVisits([store], wave)
  process.stdout.write(`${from + wave.length}\n`)
}
// It never ends by itself, however late the parent reads.
setInterval(() => {}, 60_000)
