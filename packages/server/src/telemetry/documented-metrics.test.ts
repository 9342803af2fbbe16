import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { measuredServer } from '../../test/scrape.ts'

const REPOSITORY = new URL('../../../../', import.meta.url)
const read = (path: string): Promise<string> => readFile(new URL(path, REPOSITORY), 'utf8')

const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
})

/** What Prometheus itself says of each server that it reads. */
const OF_PROMETHEUS = 'up'

/** Names of the metrics in a query, without the suffixes of histograms. */
const namesIn = (query: string): string[] =>
  [...query.matchAll(/\b(?:inkling|process|nodejs)_\w+|\bup(?=\{)/g)].map(([name]) =>
    name.replace(/^(inkling_\w+_(?:seconds|operations))_(?:bucket|sum|count)$/, '$1'),
  )

test('the guide lists all metrics with their types', async () => {
  const { names, text } = await (await measuredServer()).scrape()
  const page = await read('docs/deployment/observability.md')
  const rows = [...page.matchAll(/^\| `(inkling_\w+)` \| (\w+) \| (.*?) \|/gm)]
  expect(rows.map(([, name]) => name).sort()).toEqual(
    names.filter((name) => name.startsWith('inkling_')).sort(),
  )
  for (const [, name, type] of rows) expect(text).toContain(`# TYPE ${name} ${type}\n`)
  const mentioned = [...page.matchAll(/`((?:process|nodejs)_\w+)`/g)].map(([, name]) => name)
  expect(names).toEqual(expect.arrayContaining(mentioned))
})

test('all queries of the dashboard and of the alerts use existing metrics', async () => {
  const { names } = await (await measuredServer()).scrape()
  const { panels } = Dashboard.parse(JSON.parse(await read('deploy/grafana/inkling.json')))
  const page = await read('docs/deployment/observability.md')
  const queries = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...page.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr),
  ]
  expect(queries.length).toBeGreaterThan(30)
  for (const query of queries) {
    expect(namesIn(query)).not.toEqual([])
    expect([...names, OF_PROMETHEUS]).toEqual(expect.arrayContaining(namesIn(query)))
  }
})
