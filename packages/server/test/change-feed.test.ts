import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ChangeFeedLine, DecideRequest } from '@inkling/contract'
import { expect, test } from 'vitest'
import { createAnswers } from '../src/decide/answer-question.ts'
import { createVisitArrivals } from '../src/decide/visit-arrivals.ts'
import { presentRow } from '../src/history/present-row.ts'
import { type ChangeFeedSettings, writeChangeFeed } from '../src/jobs/change-feed/write-change-feed.ts'
import { compareDecisions } from '../src/jobs/decision-changes/compare-decisions.ts'
import { DAY_MS, MINUTE_MS } from '../src/lib/durations.ts'
import { score } from '../src/score/score.ts'
import { endForgottenFeed } from '../src/store/change-feed/change-feed.ts'
import { erase } from '../src/store/erasure/erase.ts'
import { identificationRow } from '../src/store/identifications/identification-row.ts'
import { listStore } from '../src/store/lists/list-entries.ts'
import type { Identified } from '../src/visit/identification.ts'
import { accountSurface } from './account/account-surface.ts'
import { overTor, storeVisit } from './account/stored-visits.ts'
import { identified } from './identified.ts'
import { runCli } from './run-cli.ts'
import { storeLaterVersion } from './store-later-version.ts'
import { temporaryDirectory } from './temporary-store.ts'

/** A shop whose feed goes to a folder, and somebody who reads it. */
async function feedSite() {
  const surface = await accountSurface()
  const { store, domainId, directory, clock } = surface
  const shop = () => {
    const domain = directory.byName('shop.example')
    if (!domain) throw new Error('no domain')
    return domain
  }
  const folder = join(await temporaryDirectory(), 'feed')
  const now = () => clock.nowMs
  const unreadable = (error: unknown) => {
    throw error
  }
  const answer = createAnswers({
    store,
    arrivals: createVisitArrivals(),
    hits: { count: () => undefined },
    now,
    monotonicMs: () => 0,
  })
  const files = async () => (await readdir(folder)).filter((name) => name.startsWith('changes-')).sort()
  let ver = clock.nowMs
  return {
    store,
    domainId,
    clock,
    folder,
    files,
    write: (given: Partial<ChangeFeedSettings> = {}) =>
      writeChangeFeed(store, {
        ...{ directory: folder, unreadBytesMax: 1e9, personal: false, now, unreadable },
        ...given,
      }),
    visit: async (given: Partial<Identified> = {}) => (await storeVisit(surface, given)).requestId,
    async decided(request_id: string, account?: string) {
      const asked = { request_id, account, purpose: 'signup', wait_ms: 0, max_age_seconds: 86_400 }
      const answered = await answer(DecideRequest.parse(asked), shop())
      if (!('answer' in answered)) throw new Error(answered.refused)
      return answered.answer.decision_id
    },
    async deny(value: string, reason: string) {
      const entry = { list: 'deny', kind: 'account', value, reason, expiresAtMs: undefined } as const
      await store.writes
        .transaction()
        .execute((writes) => listStore(writes).save(domainId, [entry], { author: '', nowMs: clock.nowMs }))
      await directory.refresh()
    },
    /** A later version, as after a change of the rules. */
    async rescored(requestId: string) {
      ver += 1
      const visit = identified({ requestId, domain: { ...identified().domain, id: domainId }, ...overTor() })
      const row = identificationRow(score(visit), ver)
      await storeLaterVersion(store, row)
      await compareDecisions({ store, directory, now, warn: (_, error) => unreadable(error) })
    },
    async lines(): Promise<ChangeFeedLine[]> {
      const found: ChangeFeedLine[] = []
      for (const name of await files()) {
        const text = gunzipSync(await readFile(join(folder, name))).toString()
        found.push(
          ...text
            .trimEnd()
            .split('\n')
            .map((line) => ChangeFeedLine.parse(JSON.parse(line))),
        )
      }
      return found
    },
    /** What one has who keeps the line of each key with the greatest sequence. */
    async latest(): Promise<Map<string, ChangeFeedLine>> {
      const kept = new Map<string, ChangeFeedLine>()
      for (const line of await this.lines())
        if (line.sequence > (kept.get(line.key)?.sequence ?? 0)) kept.set(line.key, line)
      return kept
    },
    /** Identifications as History has them. */
    async stored() {
      const rows = await store.reads.selectFrom('identifications').selectAll().execute()
      return rows.map((row) => presentRow(row, 'shop.example'))
    },
  }
}

const identificationsIn = (lines: Iterable<ChangeFeedLine>) =>
  [...lines].flatMap((line) => (line.kind === 'identification' ? [line.identification] : []))
const byRequest = <Row extends { request_id: string }>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => a.request_id.localeCompare(b.request_id))

test('whoever keeps the latest line of each key has the rows, after late changes as well', async () => {
  const site = await feedSite()
  const visits = [await site.visit(), await site.visit(), await site.visit()]
  const decision = await site.decided(visits[0] ?? '', 'ann')
  site.clock.nowMs += 2 * MINUTE_MS
  const young = await site.visit()
  expect(await site.write({ personal: true })).toHaveLength(1)
  expect((await site.lines()).map(({ key }) => key).sort()).toEqual(
    [...visits.map((id) => `identification:${id}`), `decision:${decision}`].sort(),
  )
  expect(await site.write({ personal: true }), 'nothing new').toEqual([])

  await site.rescored(visits[0] ?? '')
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write({ personal: true })
  const latest = await site.latest()
  expect(byRequest(identificationsIn(latest.values()))).toEqual(byRequest(await site.stored()))
  expect(latest.has(`identification:${young}`)).toBe(true)
  const changed = latest.get(`decision:${decision}`)
  expect(changed).toMatchObject({ kind: 'decision', decision: { account: 'ann', changed: { score: 99 } } })
  const sequences = (await site.lines()).map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  expect(JSON.parse(await readFile(join(site.folder, 'schema.json'), 'utf8'))).toHaveProperty('oneOf')
  for (const name of ['schema.json', ...(await site.files())])
    expect((await stat(join(site.folder, name))).mode & 0o777, 'who fetches needs the group only').toBe(0o640)
})

test('without the operator’s consent it names nobody', async () => {
  const site = await feedSite()
  const visit = await site.visit({ userHid: 'ann', ...overTor() })
  await site.deny('ann', 'charged back')
  await site.decided(visit, 'ann')
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write()
  const text = JSON.stringify(await site.lines())
  expect(text).toContain(visit)
  for (const personal of ['ann"', 'account ann', 'charged back', '91.0.0.1', 'score_details', 'entry_url'])
    expect(text).not.toContain(personal)
})

test('two nodes at the same time, and one that is stopped, repeat lines and miss none', async () => {
  const site = await feedSite()
  for (let index = 0; index < 250; index += 1) await site.visit()
  site.clock.nowMs += 2 * MINUTE_MS
  const stopped = [false, false, true].values()
  const short = { fileBytesMax: 1, pageSize: 100 }
  await site.write({ ...short, stopped: () => stopped.next().value ?? true })
  await Promise.allSettled([site.write(short), site.write(short)])
  // What a crash leaves of a file has no name that a reader looks for, and goes with the next run.
  await writeFile(join(site.folder, '.changes-7.ndjson.gz.tmp'), 'half')
  await site.write(short)
  expect((await readdir(site.folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  const latest = await site.latest()
  expect(byRequest(identificationsIn(latest.values())).map(({ request_id }) => request_id)).toEqual(
    byRequest(await site.stored()).map(({ request_id }) => request_id),
  )
  const sequences = (await site.lines()).map(({ sequence }) => sequence)
  expect(new Set(sequences).size, 'a sequence number is used once').toBe(sequences.length)
  expect((await site.files()).length).toBeGreaterThan(2)
})

test('with too much unread it pauses, and continues where it was once files are fetched', async () => {
  const site = await feedSite()
  const first = await site.visit()
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write({ unreadBytesMax: 1 })
  const second = await site.visit()
  site.clock.nowMs += 2 * MINUTE_MS
  expect(await site.write({ unreadBytesMax: 1 })).toEqual([])
  expect(identificationsIn(await site.lines()).map(({ request_id }) => request_id)).toEqual([first])
  for (const name of await site.files()) await rm(join(site.folder, name))
  await site.write({ unreadBytesMax: 1 })
  expect(identificationsIn(await site.lines()).map(({ request_id }) => request_id)).toEqual([second])
})

test('what is erased is told, and the rows that take its place are not missed', async () => {
  const site = await feedSite()
  const kept = await site.visit()
  const erased = await site.visit({ userHid: 'ann' })
  const decision = await site.decided(kept, 'ann')
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write()
  await erase(site.store, site.domainId, { type: 'user_hid', value: 'ann' })
  // The embedded database gives it the number of the erased one.
  const next = await site.visit()
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write()
  const latest = await site.latest()
  expect(Object.fromEntries([...latest].map(([key, { kind }]) => [key, kind]))).toEqual({
    [`identification:${kept}`]: 'identification',
    [`identification:${erased}`]: 'removal',
    [`identification:${next}`]: 'identification',
    [`decision:${decision}`]: 'removal',
  })
})

test('a feed that was off for a week begins again, with numbers that were never used', async () => {
  const site = await feedSite()
  const visit = await site.visit()
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write()
  const [before] = await site.lines()
  const end = (beforeMs: number) =>
    site.store.writes.transaction().execute((transaction) => endForgottenFeed(transaction, beforeMs))
  await end(site.clock.nowMs - DAY_MS)
  await site.rescored(visit)
  const noted = () => site.store.reads.selectFrom('late_changes').selectAll().execute()
  expect(await noted()).toHaveLength(1)
  site.clock.nowMs += 7 * DAY_MS
  await end(site.clock.nowMs - DAY_MS)
  expect(await noted()).toEqual([])
  await site.rescored(visit)
  expect(await noted()).toEqual([])
  await site.write()
  const after = (await site.latest()).get(`identification:${visit}`)
  expect(after?.sequence).toBeGreaterThan(before?.sequence ?? 0)
  expect(byRequest(identificationsIn(after ? [after] : []))).toMatchObject([{ score: 99 }])
})

test('a feed that begins again tells of what was erased before it was forgotten', async () => {
  const site = await feedSite()
  const visit = await site.visit()
  site.clock.nowMs += 2 * MINUTE_MS
  await site.write()
  await erase(site.store, site.domainId, { type: 'request_id', value: visit })
  site.clock.nowMs += 8 * DAY_MS
  await site.store.writes
    .transaction()
    .execute((transaction) => endForgottenFeed(transaction, site.clock.nowMs - 7 * DAY_MS))
  await site.write()
  expect((await site.latest()).get(`identification:${visit}`)?.kind).toBe('removal')
})

test('the doctor says where the feed is missing, and how much nobody has fetched', async () => {
  const folder = join(await temporaryDirectory(), 'feed')
  const checkOf = async () => {
    const { stdout } = await runCli(['doctor', '--json'], { DATA_DIR: folder, CHANGE_FEED_DIR: folder })
    const checks = JSON.parse(stdout) as { check: string; ok: boolean; detail: string }[]
    return checks.find(({ check }) => check === 'change feed')
  }
  expect(await checkOf()).toMatchObject({ ok: false, detail: expect.stringContaining('does not exist') })
  await mkdir(folder)
  expect(await checkOf()).toEqual({ check: 'change feed', ok: true, detail: '0.0 of 1024 MB unread' })
})

test('a folder that cannot be made ends the start with the name of its setting', async () => {
  const DATA_DIR = await temporaryDirectory()
  const file = join(DATA_DIR, 'file')
  await writeFile(file, '')
  const settings = { PORT: '0', TURN_PORT: 'off', FEEDS: 'off', LOG_LEVEL: 'silent' }
  const { status, stderr } = await runCli(['serve'], {
    DATA_DIR,
    ...settings,
    CHANGE_FEED_DIR: join(file, 'feed'),
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/CHANGE_FEED_DIR: ENOTDIR.*\(INK_CONFIG\)/)
})
