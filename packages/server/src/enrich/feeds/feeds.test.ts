import { copyFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FEED_SAMPLES, type FeedHandler, feedServer, stalled } from '../../../test/feed-server.ts'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import { parseAddress } from '../../lib/address.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import type { Feed } from './feed.ts'
import { createFeeds, type Feeds } from './feeds.ts'

interface LogLine {
  level: 'info' | 'warn'
  feeds?: unknown
  reasons?: unknown
}

/** One installation with a clock of its own and a publisher of its lists. */
async function installation(declared: readonly Partial<Feed>[] = [{}]) {
  const server = await feedServer()
  const dataDir = await temporaryDirectory()
  const clock = { ms: Date.UTC(2026, 8, 1) }
  const logged: LogLine[] = []
  const line = (level: LogLine['level']) => (fields: object) => void logged.push({ level, ...fields })

  const feeds = declared.map(
    (changes): Feed => ({
      id: 'tor',
      url: server.url(`/${changes.id ?? 'tor'}`),
      parser: 'lines',
      kind: 'tor',
      cadenceMs: DAY_MS,
      minRows: 1,
      maxRows: 100,
      maxBytes: 100_000,
      terms: 'for the test',
      ...changes,
    }),
  )
  const open = async (timeoutMs = 60_000): Promise<Feeds> => {
    const opened = await createFeeds({
      dataDir,
      feeds,
      now: () => clock.ms,
      log: { info: line('info'), warn: line('warn') },
      timeoutMs,
    })
    onTestFinished(opened.close)
    return opened
  }
  return { server, folder: join(dataDir, 'feeds'), clock, logged, open, feeds }
}

const has = (feeds: Feeds, kind: keyof Feeds['lists'], text: string): boolean | undefined => {
  const address = parseAddress(text)
  return address && feeds.lists[kind]?.has(address)
}

const states = (feeds: Feeds) => feeds.status().map(({ state }) => state)

describe('lists', () => {
  test('the answer is unknown before the first list, and yes or no after it', async () => {
    const { server, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    expect([feeds.lists.tor, states(feeds)]).toEqual([undefined, ['missing']])
    await feeds.update()
    expect([has(feeds, 'tor', '8.8.8.8'), has(feeds, 'tor', '8.8.4.4')]).toEqual([true, false])
    expect(feeds.lists.vpn).toBeUndefined()
  })

  test('an address on no list is unknown while one list is missing', async () => {
    const { server, open } = await installation([
      { id: 'first', kind: 'hosting' },
      { id: 'second', kind: 'hosting' },
    ])
    server.publish('/first', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    expect([has(feeds, 'hosting', '8.8.8.8'), has(feeds, 'hosting', '9.9.9.9')]).toEqual([true, undefined])
    server.publish('/second', '9.9.9.9\n')
    await feeds.update()
    expect([has(feeds, 'hosting', '9.9.9.9'), has(feeds, 'hosting', '1.1.1.1')]).toEqual([true, false])
  })

  test('lists without any IPv6 say nothing about IPv6 addresses', async () => {
    const { server, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    expect(has(feeds, 'tor', '2606:4700::1')).toBeUndefined()
    server.publish('/tor', '8.8.8.8\n2606:4700::2\n')
    await feeds.update()
    expect([has(feeds, 'tor', '2606:4700::2'), has(feeds, 'tor', '2606:4700::1')]).toEqual([true, false])
  })

  test('the lists are updated in place', async () => {
    const { server, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    const { lists } = feeds
    await feeds.update()
    const before = lists.tor
    server.publish('/tor', '8.8.8.8\n9.9.9.9\n')
    await feeds.update()
    const address = { family: 4, value: 0x09090909 } as const
    expect([before?.has(address), lists.tor?.has(address)]).toEqual([false, true])
  })

  test('a crawler is known by its ranges, and covered if all of them are loaded', async () => {
    const crawler = { kind: 'crawler', crawler: 'GoogleBot', parser: 'google_json' } as const
    const { server, open } = await installation([
      { id: 'common', ...crawler },
      { id: 'special', ...crawler },
    ])
    server.publish('/common', FEED_SAMPLES.google_json.content)
    const feeds = await open()
    await feeds.update()
    expect(feeds.crawlerOf('66.249.64.1')).toBe('GoogleBot')
    expect(feeds.coversCrawler('GoogleBot')).toBe(false)
    server.publish('/special', FEED_SAMPLES.google_json.content)
    await feeds.update()
    expect(feeds.coversCrawler('GoogleBot')).toBe(true)
    expect(feeds.coversCrawler('BingBot')).toBe(false)
    expect([feeds.crawlerOf('8.8.8.8'), feeds.crawlerOf('nobody')]).toEqual([undefined, undefined])
  })

  test('addresses of a relay have the countries in its list', async () => {
    const { server, open } = await installation([{ kind: 'privacy_relay', parser: 'geofeed_csv' }])
    server.publish('/tor', FEED_SAMPLES.geofeed_csv.content)
    const feeds = await open()
    await feeds.update()
    const address = parseAddress('2606:4700::9')
    expect(address && feeds.lists.privacyRelay?.countryCodeOf(address)).toBe('DE')
  })
})

describe('updates', () => {
  test('unchanged content counts as confirmed and is not sent again', async () => {
    const { server, clock, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    clock.ms += DAY_MS
    const [status] = await feeds.update()
    expect(status).toEqual({
      feed: 'tor',
      state: 'current',
      rows: 1,
      updatedAt: clock.ms,
      failure: undefined,
    })
    expect(server.requests.map((request) => request.includes('"'))).toEqual([false, true])
    expect(has(feeds, 'tor', '8.8.8.8')).toBe(true)
  })

  test.each<[string, string | FeedHandler, string]>([
    ['malformed', 'nonsense\n', 'is neither an address nor a CIDR'],
    ['hostile', '0.0.0.0/0\n', 'is too wide'],
    ['empty', '', 'has 0 entries'],
    ['larger than allowed', '8.8.8.8\n'.repeat(50_000), 'is larger than'],
    ['longer than allowed', '8.8.8.8\n'.repeat(101), 'has more than 100 entries'],
    ['quite another list', '1.0.0.0/16\n', 'of its IPv4 addresses changed'],
    ['gone', (_request, response) => void response.writeHead(410).end(), 'answers 410'],
  ])('the last good list stays in use when the next one is %s', async (_name, content, reason) => {
    const { server, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    server.publish('/tor', content)
    const [status] = await feeds.update()
    expect(status).toMatchObject({ state: 'failed', rows: 1, failure: expect.stringContaining(reason) })
    expect(has(feeds, 'tor', '8.8.8.8')).toBe(true)
  })

  test('the next good list clears a failure', async () => {
    const { server, open } = await installation()
    server.publish('/tor', 'nonsense\n')
    const feeds = await open()
    expect(await feeds.update()).toMatchObject([{ state: 'failed', rows: 0, updatedAt: undefined }])
    server.publish('/tor', '8.8.8.8\n')
    expect(await feeds.update()).toMatchObject([{ state: 'current', rows: 1, failure: undefined }])
  })

  test('only the given feeds are fetched, with progress', async () => {
    const { server, open } = await installation([{ id: 'one' }, { id: 'two' }, { id: 'three' }])
    const feeds = await open()
    const progress: string[] = []
    const statuses = await feeds.update(['three', 'one'], (done, total) => progress.push(`${done}/${total}`))
    expect(statuses.map(({ feed }) => feed)).toEqual(['one', 'three'])
    expect([server.requests, progress]).toEqual([
      ['/one -', '/three -'],
      ['1/2', '2/2'],
    ])
    await expect(feeds.update(['four'])).rejects.toThrow('no feed is named four')
  })

  test('a local file works as a source', async () => {
    const path = join(await temporaryDirectory(), 'tor.txt')
    await writeFile(path, '8.8.8.8\n')
    const { open } = await installation([{ url: pathToFileURL(path).href }])
    const feeds = await open()
    await feeds.update()
    expect(has(feeds, 'tor', '8.8.8.8')).toBe(true)
    await rm(path)
    expect(await feeds.update()).toMatchObject([
      { state: 'failed', failure: expect.stringContaining('ENOENT') },
    ])
  })
})

describe('age', () => {
  test('a list that was not confirmed for seven periods is not used until it is confirmed again', async () => {
    const { server, clock, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    clock.ms += 7 * DAY_MS
    await feeds.reload()
    expect([has(feeds, 'tor', '8.8.8.8'), states(feeds)]).toEqual([true, ['current']])
    clock.ms += 1
    await feeds.reload()
    expect([feeds.lists.tor, states(feeds)]).toEqual([undefined, ['stale']])
    // So old a list is no measure for a new one.
    server.publish('/tor', '1.0.0.0/16\n')
    await feeds.update()
    expect([has(feeds, 'tor', '1.0.0.1'), states(feeds)]).toEqual([true, ['current']])
  })
})

describe('refreshDue', () => {
  test('fetches only feeds that are missing or a period old', async () => {
    const { server, clock, open } = await installation([
      { id: 'daily' },
      { id: 'weekly', cadenceMs: 7 * DAY_MS },
    ])
    server.publish('/daily', '8.8.8.8\n')
    server.publish('/weekly', '8.8.8.8\n')
    const feeds = await open()
    const fetched = async () => {
      const before = server.requests.length
      await feeds.refreshDue()
      return server.requests.slice(before).map((request) => request.split(' ')[0])
    }
    expect(await fetched()).toEqual(['/daily', '/weekly'])
    expect(await fetched()).toEqual([])
    clock.ms += 0.89 * DAY_MS
    expect(await fetched()).toEqual([])
    clock.ms += 0.11 * DAY_MS
    expect(await fetched()).toEqual(['/daily'])
  })

  test('a feed that another process has just fetched is not due', async () => {
    const { server, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    await (await open()).refreshDue()
    expect(server.requests).toHaveLength(1)
  })

  test('a time in the future, written with a wrong clock, delays nothing', async () => {
    const { server, clock, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    clock.ms -= 365 * DAY_MS
    await feeds.refreshDue()
    expect(server.requests).toHaveLength(2)
    expect(feeds.status()).toMatchObject([{ updatedAt: clock.ms }])
  })

  test('an unreachable source is retried with backoff and logged once', async () => {
    const { server, clock, logged, open } = await installation()
    server.publish('/tor', (_request, response) => void response.writeHead(503).end())
    const feeds = await open()
    for (const start = clock.ms; clock.ms < start + DAY_MS; clock.ms += 10 * MINUTE_MS)
      await feeds.refreshDue()
    // At once, then after 15, 30, 60, 120, 240 and 480 minutes.
    expect(server.requests).toHaveLength(7)
    expect(logged).toEqual([{ level: 'warn', feeds: ['tor'], reasons: ['answers 503'] }])
    server.publish('/tor', '8.8.8.8\n')
    clock.ms += DAY_MS
    await feeds.refreshDue()
    expect(logged.at(-1)).toEqual({ level: 'info', feeds: ['tor'] })
  })

  test('after invalid content a source is retried a period later', async () => {
    const { server, clock, open } = await installation()
    server.publish('/tor', 'nonsense\n')
    const feeds = await open()
    for (const start = clock.ms; clock.ms <= start + DAY_MS; clock.ms += 60 * MINUTE_MS)
      await feeds.refreshDue()
    expect(server.requests).toHaveLength(2)
  })

  test('an update by another process counts, after a failure too', async () => {
    const { server, clock, open } = await installation()
    const feeds = await open()
    await feeds.refreshDue()
    server.publish('/tor', '8.8.8.8\n')
    clock.ms += MINUTE_MS
    await (await open()).update()
    await feeds.reload()
    clock.ms += 60 * MINUTE_MS
    await feeds.refreshDue()
    expect(server.requests).toHaveLength(2)
  })

  test('without a network all answers are unknown and nothing fails', async () => {
    const { server, logged, open } = await installation()
    server.close()
    const feeds = await open()
    await feeds.refreshDue()
    expect([feeds.lists.tor, states(feeds)]).toEqual([undefined, ['failed']])
    expect(logged).toEqual([
      { level: 'warn', feeds: ['tor'], reasons: [expect.stringContaining('ECONNREFUSED')] },
    ])
  })
})

describe('on disk', () => {
  test('a list is available right after a restart, without its publisher', async () => {
    const { server, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    server.close()
    const feeds = await open()
    expect([has(feeds, 'tor', '8.8.8.8'), states(feeds)]).toEqual([true, ['current']])
  })

  test('a running process loads what another one has fetched', async () => {
    const { server, open } = await installation()
    const running = await open()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    await running.reload()
    expect(has(running, 'tor', '8.8.8.8')).toBe(true)
  })

  test('the record has the source, the licence and the time of the list', async () => {
    const { server, folder, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    expect(JSON.parse(await readFile(join(folder, 'tor.json'), 'utf8'))).toEqual({
      url: server.url('/tor'),
      parser: 'lines',
      terms: 'for the test',
      data: {
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        rows: 1,
        updated_at: '2026-09-01T00:00:00.000Z',
        etag: expect.any(String),
      },
    })
  })

  test('a process that dies before it has written its record changes nothing', async () => {
    const { server, folder, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    const record = await readFile(join(folder, 'tor.json'), 'utf8')
    server.publish('/tor', '9.9.9.9\n')
    await (await open()).update()
    // As if the last step of the second update had never come.
    await writeFile(join(folder, 'tor.json'), record)
    await writeFile(join(folder, 'tor.json.0.tmp'), '{"url":')
    const feeds = await open()
    expect([has(feeds, 'tor', '8.8.8.8'), has(feeds, 'tor', '9.9.9.9')]).toEqual([true, false])
  })

  test('unused ranges and temporary files are removed after an hour', async () => {
    const { server, folder, open } = await installation([{ id: 'tor' }, { id: 'other' }])
    server.publish('/tor', '8.8.8.8\n')
    server.publish('/other', '8.8.8.8\n')
    const feeds = await open()
    await feeds.update()
    await writeFile(join(folder, 'tor.json.0.tmp'), '')
    const old = (Date.now() - 2 * 60 * 60_000) / 1_000
    for (const name of await readdir(folder)) await utimes(join(folder, name), old, old)
    await writeFile(join(folder, 'tor.json.1.tmp'), '')
    server.publish('/tor', '9.9.9.9\n')
    await feeds.update(['tor'])
    const names = await readdir(folder)
    expect(names.filter((name) => name.startsWith('tor.')).toSorted()).toEqual([
      expect.stringMatching(/^tor\.[0-9a-f]{16}\.bin$/),
      'tor.json',
      'tor.json.1.tmp',
    ])
    expect(names.filter((name) => name.startsWith('other.'))).toHaveLength(2)
  })

  test.each<[string, (folder: string, ranges: string) => Promise<void>]>([
    ['a record that is damaged', (folder) => writeFile(join(folder, 'tor.json'), '{"url":')],
    ['ranges that are missing', (_folder, ranges) => rm(ranges)],
    ['ranges that are damaged', (_folder, ranges) => writeFile(ranges, 'nonsense')],
    ['ranges that are another list', (folder, ranges) => copyFile(join(folder, 'tor.json'), ranges)],
  ])('%s: nothing is used, and the feed is fetched again', async (_name, damage) => {
    const { server, folder, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    const ranges = (await readdir(folder)).find((name) => name.endsWith('.bin')) ?? ''
    await damage(folder, join(folder, ranges))
    const feeds = await open()
    expect([feeds.lists.tor, states(feeds)]).toEqual([undefined, ['missing']])
    await feeds.update()
    expect([has(feeds, 'tor', '8.8.8.8'), states(feeds)]).toEqual([true, ['current']])
  })

  test('data from another URL is not used', async () => {
    const { server, open, feeds: declared } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await (await open()).update()
    declared.splice(0, 1, { ...(declared[0] as Feed), url: server.url('/other') })
    expect(states(await open())).toEqual(['missing'])
  })

  test('a read-only data directory fails the update and nothing else', async () => {
    const { server, folder, open } = await installation()
    server.publish('/tor', '8.8.8.8\n')
    await writeFile(folder, 'in the way')
    const feeds = await open()
    expect(await feeds.update()).toMatchObject([{ state: 'failed', failure: expect.any(String) }])
    await rm(folder)
    await mkdir(folder)
    expect(await feeds.update()).toMatchObject([{ state: 'current', failure: undefined }])
  })
})

describe('close', () => {
  test('aborts an exchange in progress, which leaves no trace', async () => {
    const { server, folder, logged, open } = await installation()
    const feeds = await open()
    const asked = new Promise<void>((resolve) => {
      server.publish('/tor', (request, response) => {
        stalled('8.8.8.8\n')(request, response)
        resolve()
      })
    })
    const round = feeds.refreshDue()
    await asked
    await feeds.close()
    await round
    expect(logged).toEqual([])
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })

  test('stops the timers of start', async () => {
    const { open } = await installation()
    const feeds = await open()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    feeds.start()
    expect(vi.getTimerCount()).toBe(2)
    await feeds.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
