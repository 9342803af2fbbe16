import { Command } from 'commander'
import { readConfig } from '../composition/config.ts'
import type { FeedStatus } from '../enrich/feeds/feed.ts'
import { createFeeds, type Feeds } from '../enrich/feeds/feeds.ts'
import { readFeeds } from '../enrich/feeds/read-feeds.ts'
import { createLog } from '../lib/log.ts'
import { isJson, print, withProgress } from './command-line.ts'

const presentStatus = ({ feed, rows, updatedAt, state }: FeedStatus) => ({
  feed,
  rows,
  updated_at: updatedAt === undefined ? null : new Date(updatedAt).toISOString(),
  state,
})

/** `inkling feeds`: the public lists of addresses. */
export function feedsCommand(): Command {
  const command = new Command('feeds').description(
    'download the public lists of addresses and show their state',
  )

  command
    .command('update [feeds...]')
    .description('download all feeds, or the named ones, now; a running server loads them')
    .action(async (ids: string[], _options, self: Command) => {
      const json = isJson(self)
      const statuses = await withFeeds((feeds) => update(feeds, ids, json))
      print(statuses.map(presentStatus), json)
      for (const { feed, failure } of statuses)
        if (failure !== undefined) {
          console.error(`${feed}: ${failure}`)
          process.exitCode = 1
        }
    })

  command
    .command('status')
    .description('show the entries, the age and the state of each feed')
    .action(async (_options, self: Command) => {
      const statuses = await withFeeds(async (feeds) => feeds.status())
      print(statuses.map(presentStatus), isJson(self))
    })

  return command
}

/** Opens the same feeds as a running server, and closes them when the command is done. */
export async function withFeeds<Result>(run: (feeds: Feeds) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env)
  const feeds = await createFeeds({
    dataDir: config.DATA_DIR,
    feeds: await readFeeds(config.FEEDS),
    log: createLog(config.LOG_LEVEL, config.LOG_PRIVACY),
  })
  try {
    return await run(feeds)
  } finally {
    await feeds.close()
  }
}

function update(feeds: Feeds, ids: string[], json: boolean): Promise<FeedStatus[]> {
  const chosen = ids.length > 0 ? ids : undefined
  const total = chosen?.length ?? feeds.status().length
  return withProgress({ label: 'updating feeds', json }, (report) =>
    feeds.update(chosen, (done) => report(done, total)),
  )
}
