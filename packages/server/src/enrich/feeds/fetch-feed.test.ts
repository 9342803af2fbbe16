import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Agent } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  cutShort,
  endless,
  type FeedHandler,
  feedServer,
  gzipped,
  redirect,
  stalled,
} from '../../../test/feed-server.ts'
import { temporaryDirectory } from '../../../test/temporary-store.ts'
import type { Feed } from './feed.ts'
import { fetchFeed, type Validators } from './fetch-feed.ts'

const feedAt = (url: string): Feed => ({
  id: 'list',
  url,
  parser: 'lines',
  kind: 'hosting',
  cadenceMs: 86_400_000,
  minRows: 1,
  maxRows: 1_000,
  maxBytes: 10_000,
  terms: '',
})

async function get(url: string, held: Validators = {}, timeoutMs = 60_000, signal?: AbortSignal) {
  const dispatcher = new Agent()
  onTestFinished(() => dispatcher.destroy())
  const answer = await fetchFeed(feedAt(url), held, {
    dispatcher,
    timeoutMs,
    signal: signal ?? new AbortController().signal,
  })
  return { text: answer.content && Buffer.from(answer.content).toString(), validators: answer.validators }
}

async function getFrom(handler: FeedHandler, timeoutMs?: number) {
  const server = await feedServer()
  server.publish('/list', handler)
  return get(server.url('/list'), {}, timeoutMs)
}

describe('over HTTP', () => {
  test('unchanged content is not sent again', async () => {
    const server = await feedServer()
    server.publish('/list', '8.8.8.8\n')
    const first = await get(server.url('/list'))
    expect(first.text).toBe('8.8.8.8\n')
    expect(await get(server.url('/list'), first.validators)).toEqual({
      text: undefined,
      validators: first.validators,
    })
    server.publish('/list', '9.9.9.9\n')
    expect((await get(server.url('/list'), first.validators)).text).toBe('9.9.9.9\n')
  })

  test('a source with dates only gets If-Modified-Since', async () => {
    const date = 'Tue, 01 Sep 2026 00:00:00 GMT'
    const server = await feedServer()
    server.publish('/list', ({ headers }, response) => {
      const isHeld = headers['if-modified-since'] === date
      response.writeHead(isHeld ? 304 : 200, { 'last-modified': date }).end(isHeld ? undefined : '8.8.8.8')
    })
    const { validators } = await get(server.url('/list'))
    expect((await get(server.url('/list'), validators)).text).toBeUndefined()
  })

  test('compressed content is decompressed', async () => {
    expect((await getFrom(gzipped('8.8.8.8\n'))).text).toBe('8.8.8.8\n')
  })

  test('redirects are followed', async () => {
    const server = await feedServer()
    server.publish('/old', redirect('/older'))
    server.publish('/older', redirect(server.url('/list')))
    server.publish('/list', '8.8.8.8\n')
    expect((await get(server.url('/old'))).text).toBe('8.8.8.8\n')
  })

  test.each<[string, FeedHandler, string]>([
    ['an endless body', endless, 'is larger than 10000 bytes'],
    ['a small body that unpacks to a large one', gzipped('8.8.8.8\n'.repeat(1_000_000)), 'is larger than'],
    ['redirects in a circle', redirect('/list'), 'redirects more than 5 times'],
    ['a redirect to a file', redirect('file:///etc/passwd'), 'redirects to file://'],
    ['a redirect to nothing', redirect('http://'), 'redirects to an invalid URL'],
    ['a body that ends early', cutShort('8.8.8.8\n'), ''],
    ['a compressed body that ends early', gzipped('8.8.8.8\n9.9.9.9\n', 20), 'unexpected end of file'],
    ['an error', (_request, response) => void response.writeHead(503).end('8.8.8.8'), 'answers 503'],
    [
      'an encoding that was not requested',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
      'in the encoding br',
    ],
    ['a hang-up', (_request, response) => void response.destroy(), ''],
  ])('%s is rejected', async (_name, handler, reason) => {
    await expect(getFrom(handler)).rejects.toThrow(reason)
  })

  test('a source that stalls is aborted', async () => {
    await expect(getFrom(stalled('8.8.8.8\n'), 100)).rejects.toThrow('took longer than 0.1 s')
    await expect(getFrom(() => undefined, 100)).rejects.toThrow('took longer than 0.1 s')
  })

  test('an exchange in progress can be aborted', async () => {
    const server = await feedServer()
    const stop = new AbortController()
    server.publish('/list', (request, response) => {
      stalled('8.8.8.8\n')(request, response)
      stop.abort()
    })
    await expect(get(server.url('/list'), {}, 60_000, stop.signal)).rejects.toThrow('aborted')
  })

  test('the error names a server that cannot be reached', async () => {
    const server = await feedServer()
    const url = server.url('/list')
    server.close()
    await expect(get(url)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('from a file', () => {
  async function file(content: string) {
    const path = join(await temporaryDirectory(), 'list.txt')
    await writeFile(path, content)
    return { path, url: pathToFileURL(path).href }
  }

  test('it is read again when its time or size has changed', async () => {
    const { path, url } = await file('8.8.8.8\n')
    await utimes(path, 1_000, 1_000)
    const { text, validators } = await get(url)
    expect(text).toBe('8.8.8.8\n')
    expect((await get(url, validators)).text).toBeUndefined()
    await utimes(path, 2_000, 2_000)
    expect((await get(url, validators)).text).toBe('8.8.8.8\n')
    await writeFile(path, '8.8.8.8\n9.9.9.9\n')
    await utimes(path, 1_000, 1_000)
    expect((await get(url, validators)).text).toBe('8.8.8.8\n9.9.9.9\n')
  })

  test('a missing or too large file and a folder are rejected', async () => {
    const { path, url } = await file('8.8.8.8\n'.repeat(2_000))
    await expect(get(url)).rejects.toThrow('is larger than 10000 bytes')
    await rm(path)
    await expect(get(url)).rejects.toThrow('ENOENT')
    await mkdir(path)
    await expect(get(url)).rejects.toThrow('is not a file')
  })
})
