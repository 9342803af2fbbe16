import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Arrivals } from './open-receiver.ts'

export interface RemoteReceiver {
  url: string
  arrivals(): Promise<Arrivals>
  close(): void
}

/** Starts a receiver in another process, so that it does not slow down the sender. */
export async function startReceiver(): Promise<RemoteReceiver> {
  // The receiver exits when its channel to this process closes.
  const child = fork(fileURLToPath(new URL('./receiver-process.ts', import.meta.url)), [], {
    serialization: 'advanced',
  })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async arrivals() {
      const answered = once(child, 'message')
      child.send('arrivals')
      const [entries] = (await answered) as [[string, number[]][]]
      return new Map(entries)
    },
    close: () => child.disconnect(),
  }
}
