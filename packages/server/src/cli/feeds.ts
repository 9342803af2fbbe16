import { Command } from 'commander'
import { readConfig } from '../composition/config.ts'
import { createFeeds, type Feeds } from '../enrich/feeds/create-feeds.ts'
import type { FeedStatus } from '../enrich/feeds/feed.ts'
import { readFeeds } from '../enrich/feeds/read-feeds.ts'
import { createLog } from '../lib/log.ts'
import { isJson } from './options.ts'
import { print } from './print.ts'
import { withProgress } from './with-progress.ts'

const presentStatus = ({ feed, rows, updatedAt, state }: FeedStatus) => ({
  feed,
  rows,
  updated_at: updatedAt === undefined ? null : new Date(updatedAt).toISOString(),
  state,
})

/** `inkling feeds`: the public lists of addresses. */
export function feedsCommand(): Command {
  const command = new Command('feeds').description(
    'update the public lists of addresses and show their state',
  )

  command
    .command('update [feeds...]')
    .description('fetch the feeds now, all of them or those that are named; a running server takes them over')
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
    .description('show how many entries each feed has, and since when')
    .action(async (_options, self: Command) => {
      const statuses = await withFeeds(async (feeds) => feeds.status())
      print(statuses.map(presentStatus), isJson(self))
    })

  return command
}

/** Opens the same feeds as a running server for as long as the command takes. */
async function withFeeds<Result>(run: (feeds: Feeds) => Promise<Result>): Promise<Result> {
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
