import type { ServerResponse } from 'node:http'
import { ask } from './ask.ts'

/** A CDN: asks for each URL once and then hands out the same answer to everybody. */
export interface CachingProxy {
  /** Base URL of what it caches. */
  upstream: string
  answer(path: string, response: ServerResponse): Promise<void>
}

export function createCachingProxy(): CachingProxy {
  const kept = new Map<string, ReturnType<typeof ask>>()
  const proxy: CachingProxy = {
    upstream: '',
    async answer(path, response) {
      const url = proxy.upstream + path
      const asked = kept.get(url) ?? ask(url)
      kept.set(url, asked)
      const { status, headers, body } = await asked
      response.writeHead(status, { ...headers, age: '3600' }).end(body)
    },
  }
  return proxy
}
