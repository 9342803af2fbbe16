import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { onTestFinished } from 'vitest'
import type { ObjectStorage } from '../src/store/cold/object-storage.ts'
import { openObjectStorage } from '../src/store/cold/object-storage.ts'
import { temporaryDirectory } from './temporary-store.ts'

/** The only key that the server knows. */
export const S3_KEY = { keyId: 'S3RVER', secret: 'S3RVER' }

export interface S3Server {
  storage: ObjectStorage
  /** Of the bucket. */
  url: string
  /** Names of all objects. */
  objects(): Promise<string[]>
  stop(): Promise<void>
  /** At the same address, with what it had. */
  start(): Promise<void>
}

/** A server with one bucket on this machine, for one test. */
export async function s3Server(): Promise<S3Server> {
  const directory = await temporaryDirectory()
  let port = 0
  let server: S3rver | undefined
  async function start(): Promise<void> {
    const options = { address: '127.0.0.1', silent: true, configureBuckets: [{ name: 'cold' }] }
    server = new S3rver({ ...options, port, directory })
    port = (await server.run()).port
  }
  async function stop(): Promise<void> {
    await server?.close()
    server = undefined
  }
  await start()
  onTestFinished(stop)
  const url = `http://127.0.0.1:${port}/cold`
  // Without the rest after a failure, so that a test need not wait for its end.
  const storage = openObjectStorage({ url, region: 'us-east-1', ...S3_KEY }, { restMs: 0 })
  return {
    storage,
    url,
    stop,
    start,
    async objects() {
      const files = await readdir(join(directory, 'cold'), { recursive: true })
      return files
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.replace('._S3rver_object', ''))
    },
  }
}
