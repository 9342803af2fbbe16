import type { Handler } from '../handler.ts'
import { presentFeeds } from './present-feeds.ts'

export const listFeeds: Handler<'listFeeds'> = (_call, { feeds }) => Promise.resolve(presentFeeds(feeds))
