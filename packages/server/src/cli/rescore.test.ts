import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HistoryPage, type HistoryRow } from '@inkling/contract'
import { expect, test } from 'vitest'
import { AUTOMATED, ordinaryBody } from '../../test/contract/bodies.ts'
import { runCli } from '../../test/run-cli.ts'
import { getHistory, postSnapshot, runningServer, type TestServer } from '../../test/running-server.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'

/** Three visits, one of them automated, on a running server. */
async function shop() {
  const receiver = await webhookReceiver()
  const server = await runningServer({ endpoints: [receiver.url] })
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const bodies = [ordinaryBody(), ordinaryBody(), ordinaryBody({}, AUTOMATED)]
  for (const [index, id] of ids.entries()) await postSnapshot(server, id, bodies[index])
  await receiver.count(3)
  return { server, ids, receiver }
}

async function rescore({ directory, keys }: TestServer, ...args: string[]) {
  const environment = { DATA_DIR: directory, PATH: process.env.PATH ?? '' }
  const { status, stdout, stderr } = await runCli(['rescore', keys.domain, ...args, '--json'], environment)
  return { status, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
}

async function rules({ directory }: TestServer, content: unknown): Promise<string> {
  const file = join(directory, 'rules.json')
  await writeFile(file, JSON.stringify(content))
  return file
}

const rowOf = async (server: TestServer, id: string | undefined): Promise<HistoryRow | undefined> =>
  HistoryPage.parse(await (await getHistory(server, `request_id/${id}`)).json()).data[0]

const SAME = { trusted: { before: 2, after: 2 }, suspicious: { before: 0, after: 0 } }

test('the same facts and rules give the same score', async () => {
  const { server } = await shop()
  expect((await rescore(server, '--dry-run')).report).toEqual({
    identifications: 3,
    changed: 0,
    by_band: { ...SAME, dangerous: { before: 1, after: 1 } },
  })
})

test('without --json a table of the bands is printed', async () => {
  const { server } = await shop()
  const { stdout } = await runCli(['rescore', server.keys.domain, '--dry-run'], {
    DATA_DIR: server.directory,
  })
  expect(stdout).toMatch(/^identifications +3\nchanged +0\n\nby_band\n/)
  expect(stdout).toMatch(/before.*after/)
  expect(stdout).toMatch(/dangerous\D+1\D+1\D/)
  expect(stdout).not.toContain('[object Object]')
})

test('a dry run with other weights changes nothing; a real one changes the rows without an event', async () => {
  const { server, ids, receiver } = await shop()
  const file = await rules(server, { weights: { browser_automation: 40 } })
  const expected = {
    identifications: 3,
    changed: 1,
    by_band: {
      trusted: { before: 2, after: 2 },
      suspicious: { before: 0, after: 1 },
      dangerous: { before: 1, after: 0 },
    },
  }
  const before = await rowOf(server, ids[2])
  expect((await rescore(server, '--rules', file, '--dry-run')).report).toEqual(expected)
  expect(await rowOf(server, ids[2])).toEqual(before)

  expect((await rescore(server, '--rules', file)).report).toEqual(expected)
  const after = await rowOf(server, ids[2])
  expect(after).toMatchObject({ score: 40, device_id: before?.device_id, created_at: before?.created_at })
  expect(after?.ver).toBeGreaterThan(before?.ver ?? 0)
  expect(receiver.received).toHaveLength(3)
})

test('identities are only reported: which would be merged and split', async () => {
  const { server } = await shop()
  const { report } = await rescore(server, '--identities', '--dry-run')
  expect(report).toEqual({ identifications: 3, devices_before: 1, devices_after: 1, merges: [], splits: [] })
  expect((await rescore(server, '--identities')).status).toBe(1)
})

test('only visits since a time count', async () => {
  const { server } = await shop()
  expect((await rescore(server, '--since', '2100-01-01', '--dry-run')).report.identifications).toBe(0)
})

test.each([
  [{ weights: { no_such_signal: 1 } }, 1],
  [{ weights: { vpn: 1.5 } }, 1],
  [{ points: {} }, 1],
])('an invalid rules file is an error with its reason and changes nothing: %o', async (content, status) => {
  const { server } = await shop()
  const file = await rules(server, content)
  const outcome = await rescore(server, '--rules', file)
  expect(outcome).toMatchObject({ status, report: undefined })
  expect(outcome.stderr).toContain('rules.json')
})
