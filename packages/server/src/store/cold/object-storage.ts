import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { AppError } from '../../lib/errors.ts'

/** Where bodies of old rows are: objects with names, in a bucket. */
export interface ObjectStorage {
  put(name: string, body: Uint8Array<ArrayBuffer>): Promise<void>
  /** @returns undefined where there is no such object */
  get(name: string, part?: ObjectPart): Promise<Buffer | undefined>
  /** Of one that is not there, too. */
  remove(name: string): Promise<void>
  /** Resolves when the storage answers and accepts the key. */
  probe(): Promise<void>
}

export interface ObjectPart {
  offset: number
  length: number
}

/** A bucket that speaks the protocol of S3. */
export interface ObjectPlace {
  /** `https://host/bucket`, or with a folder in it. */
  url: string
  region: string
  keyId: string
  secret: string
}

export const COLD_OPERATIONS = ['put', 'get', 'remove', 'probe'] as const
export type ColdOperation = (typeof COLD_OPERATIONS)[number]

export interface ObjectStorageOptions {
  /** Called after each request. */
  requested?: ((operation: ColdOperation, succeeded: boolean) => void) | undefined
  /** After a failure nobody asks again for this long. */
  restMs?: number
}

const TIMEOUT_MS = 10_000
/** So that no page of the dashboard waits for each of its bodies. */
const REST_MS = 5_000

/**
 * Every method throws an AppError `INK_COLD_STORAGE` when the storage does not do what it is asked.
 */
export function openObjectStorage(
  { url, region, keyId, secret }: ObjectPlace,
  { requested = () => {}, restMs = REST_MS }: ObjectStorageOptions = {},
): ObjectStorage {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region })
  let failedAtMs = Number.NEGATIVE_INFINITY

  async function ask(operation: ColdOperation, name: string, init: RequestInit): Promise<Answer> {
    if (performance.now() - failedAtMs < restMs) throw unavailable()
    try {
      const signed = await client.sign(`${url.replace(/\/$/, '')}/${name}`, init)
      const response = await fetch(signed, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
      if (!response.ok) {
        const code = await refusalCode(response)
        // A bucket that is not there is an outage: nothing says that its objects are lost.
        if (code !== NO_OBJECT) throw new Error(`it answered ${response.status} (${code})`)
      }
      // A connection that breaks in the middle of an object is a failure, too.
      const bytes = response.bodyUsed ? undefined : Buffer.from(await response.arrayBuffer())
      requested(operation, true)
      return { bytes, isWhole: response.status === WHOLE }
    } catch (cause) {
      requested(operation, false)
      failedAtMs = performance.now()
      throw unavailable(cause)
    }
  }

  return {
    async put(name, body) {
      const headers = { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') }
      await ask('put', name, { method: 'PUT', body, headers })
    },
    async get(name, part) {
      const headers: Record<string, string> = part
        ? { range: `bytes=${part.offset}-${part.offset + part.length - 1}` }
        : {}
      const { bytes, isWhole } = await ask('get', name, { headers })
      // A server that knows no ranges answers with the whole.
      return part && isWhole ? bytes?.subarray(part.offset, part.offset + part.length) : bytes
    },
    async remove(name) {
      await ask('remove', name, { method: 'DELETE' })
    },
    async probe() {
      await ask('probe', PROBE, {})
    },
  }
}

interface Answer {
  /** Undefined where there is no such object. */
  bytes: Buffer | undefined
  isWhole: boolean
}

const WHOLE = 200
const NO_OBJECT = 'NoSuchKey'
/** The name of no object. */
const PROBE = 'probe'

const unavailable = (cause?: unknown): AppError =>
  new AppError('INK_COLD_STORAGE', 'the cold storage does not respond', { cause })

/** The code in the XML of a refusal, such as `AccessDenied`. */
async function refusalCode(response: Response): Promise<string> {
  const [, code = 'no code'] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? []
  return code
}
