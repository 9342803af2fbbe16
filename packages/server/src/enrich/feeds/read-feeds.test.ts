import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { readCatalogue } from '../agents/catalogue.ts'
import { crawlerName } from '../crawlers/known-crawlers.ts'
import { PUBLIC_FEEDS } from './public-feeds.ts'
import { readFeeds } from './read-feeds.ts'

async function feedsOf(content: unknown) {
  const path = join(await temporaryDirectory(), 'feeds.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readFeeds(path)
}

const OWN = { id: 'office_vpn', url: 'file:///srv/vpn.txt', parser: 'lines', kind: 'vpn' }

describe('readFeeds', () => {
  test('returns the public feeds, or none', async () => {
    expect(await readFeeds('public')).toBe(PUBLIC_FEEDS)
    expect(await readFeeds('off')).toEqual([])
  })

  test('a file declares feeds, with default limits', async () => {
    expect(await feedsOf([OWN])).toEqual([
      {
        ...OWN,
        crawler: undefined,
        cadenceMs: 86_400_000,
        minRows: 1,
        maxRows: 1_000_000,
        maxBytes: 50_000_000,
        terms: '',
      },
    ])
  })

  test('a file includes public feeds, unchanged or with changes', async () => {
    const [tor] = PUBLIC_FEEDS
    expect(await feedsOf(['tor_exits', { id: 'googlebot', url: 'file:///srv/googlebot.json' }])).toEqual([
      tor,
      { ...PUBLIC_FEEDS.find(({ id }) => id === 'googlebot'), url: 'file:///srv/googlebot.json' },
    ])
  })

  test.each<[string, unknown, string]>([
    ['invalid JSON', '[', 'is not JSON'],
    ['no list', {}, 'the file: '],
    ['an unknown public feed', ['tor'], '0.url: an https:, http: or file: URL'],
    ['another scheme', [{ ...OWN, url: 'ftp://lists.example/' }], '0.url: an https:, http: or file: URL'],
    ['an id that could leave the folder', [{ ...OWN, id: '../x' }], '0.id: lower case letters'],
    ['an unknown format', [{ ...OWN, parser: 'yaml' }], '0.parser: '],
    ['an unknown kind', [{ ...OWN, kind: 'proxy' }], '0.kind: '],
    ['an unknown property', [{ ...OWN, cadence: 1 }], '"cadence"'],
    [
      'a crawler without its name',
      [{ ...OWN, kind: 'crawler' }],
      '0.crawler: is required for feeds of kind crawler',
    ],
    [
      'a name on what is no crawler',
      [{ ...OWN, crawler: 'Bot' }],
      '0.crawler: is required for feeds of kind crawler',
    ],
    ['two of one id', [OWN, OWN], '1.id: office_vpn is declared twice'],
    ['something that is no feed', [7], '0: '],
  ])('%s is rejected with its path', async (_name, content, message) => {
    await expect(feedsOf(content)).rejects.toThrow(message)
  })

  test('the error names a missing file', async () => {
    await expect(readFeeds('/nowhere/feeds.json')).rejects.toThrow(/^FEEDS: ENOENT.*\/nowhere\/feeds\.json/)
  })
})

describe('the public feeds', () => {
  test('are fetched over HTTPS only and have unique IDs', () => {
    expect(PUBLIC_FEEDS.filter(({ url }) => !url.startsWith('https://'))).toEqual([])
    expect(new Set(PUBLIC_FEEDS.map(({ id }) => id)).size).toBe(PUBLIC_FEEDS.length)
  })

  test('can be declared by ID in a file', async () => {
    expect(await feedsOf(PUBLIC_FEEDS.map(({ id }) => id))).toEqual(PUBLIC_FEEDS)
  })

  test('name crawlers as crawlerName does', () => {
    const crawlers = PUBLIC_FEEDS.filter(({ kind }) => kind === 'crawler').flatMap(
      ({ crawler }) => crawler ?? [],
    )
    expect(crawlers.map((name) => crawlerName(`Mozilla/5.0 (compatible; ${name}/1.0)`))).toEqual(crawlers)
  })

  test('name agents as the catalogue does', async () => {
    const { agents } = await readCatalogue('public')
    const known = agents.map(({ addresses }) => addresses)
    for (const { kind, crawler } of PUBLIC_FEEDS) if (kind === 'agent') expect(known).toContain(crawler)
  })
})
