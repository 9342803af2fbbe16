import { Redis } from 'iovalkey'

/** An ingest request that waits longer is better counted alone. */
const ANSWER_MS = 250
const CONNECT_MS = 2_000
const RETRY_MS_MAX = 2_000

/** A connection to Valkey that fails at once while it is not there, and keeps trying to be. */
export function openValkey(url: string, onError: (error: unknown) => void): Redis {
  const client = new Redis(url, {
    connectionName: 'inkling',
    commandTimeout: ANSWER_MS,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 100, RETRY_MS_MAX),
  })
  client.on('error', onError)
  return client
}
