import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FEED_SAMPLES, feedServer } from '../../test/feed-server.ts'
import { runCli } from '../../test/run-cli.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'

async function operator() {
  const directory = await temporaryDirectory()
  const server = await feedServer()
  const declared = [
    { id: 'tor', url: server.url('/tor'), parser: 'lines', kind: 'tor' },
    { id: 'drop', url: server.url('/drop'), parser: 'spamhaus_drop', kind: 'abuser' },
  ]
  const file = join(directory, 'feeds.json')
  await writeFile(file, JSON.stringify(declared))
  const environment = { DATA_DIR: join(directory, 'data'), FEEDS: file }
  return {
    server,
    run: (args: string[], settings: Record<string, string> = {}) =>
      runCli(['feeds', ...args], { ...environment, ...settings }),
  }
}

test('feeds are fetched, and with --json only their state is printed', async () => {
  const { server, run } = await operator()
  server.publish('/tor', FEED_SAMPLES.lines.content)
  server.publish('/drop', FEED_SAMPLES.spamhaus_drop.content)
  expect(JSON.parse((await run(['status', '--json'])).stdout)).toEqual([
    { feed: 'tor', rows: 0, updated_at: null, state: 'missing' },
    { feed: 'drop', rows: 0, updated_at: null, state: 'missing' },
  ])

  const updated = await run(['update', '--json'])
  expect([updated.status, updated.stderr]).toEqual([0, ''])
  const statuses = JSON.parse(updated.stdout)
  expect(statuses).toEqual([
    { feed: 'tor', rows: 3, updated_at: expect.stringMatching(/^\d{4}-.*Z$/), state: 'current' },
    { feed: 'drop', rows: 2, updated_at: expect.stringMatching(/^\d{4}-.*Z$/), state: 'current' },
  ])
  expect(JSON.parse((await run(['status', '--json'])).stdout)).toEqual(statuses)
})

test('a feed that fails is named with its reason, and the command fails; the others are updated', async () => {
  const { server, run } = await operator()
  server.publish('/tor', FEED_SAMPLES.lines.content)
  const { status, stdout, stderr } = await run(['update', '--json'])
  expect([status, stderr]).toEqual([1, 'drop: answers 404\n'])
  expect(JSON.parse(stdout).map(({ state }: { state: string }) => state)).toEqual(['current', 'failed'])
})

test('one feed can be fetched by name; an unknown name is an error', async () => {
  const { server, run } = await operator()
  server.publish('/tor', FEED_SAMPLES.lines.content)
  const one = await run(['update', 'tor', '--json'])
  expect([one.status, JSON.parse(one.stdout)]).toEqual([0, [expect.objectContaining({ feed: 'tor' })]])
  expect(await run(['update', 'nothing'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'failed: no feed is named nothing\n',
  })
})

test('without --json a table is printed, and no progress bar without a terminal', async () => {
  const { server, run } = await operator()
  server.publish('/tor', FEED_SAMPLES.lines.content)
  const { stdout } = await run(['update', 'tor'])
  expect(stdout).toMatch(/feed.*rows.*updated_at.*state/)
  expect(stdout).toContain("'current'")
  expect(stdout).not.toContain('updating feeds')
})

test('without feeds nothing is fetched; an invalid file is an error with its reason', async () => {
  const { run } = await operator()
  expect(await run(['update', '--json'], { FEEDS: 'off' })).toMatchObject({ status: 0, stdout: '[]\n' })
  const wrong = await run(['status'], { FEEDS: '/nowhere.json' })
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('FEEDS: ENOENT')])
})
