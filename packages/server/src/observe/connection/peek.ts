import type { Duplex } from 'node:stream'

export interface PeekLimits {
  bytesMax: number
  timeoutMs: number
}

/** How a peek ended: `closed` also where the socket failed. */
export type PeekEnd = 'enough' | 'too_long' | 'timeout' | 'closed'

/**
 * Shows `look` the bytes a socket receives, from the first on, until it wants no more; then calls `done`
 * with every byte put back, for whoever is handed the socket next.
 * @param look given all bytes so far, says how many it must see at least; 0 for enough
 */
export function peek(
  socket: Duplex,
  look: (bytes: Buffer) => number,
  { bytesMax, timeoutMs }: PeekLimits,
  done: (end: PeekEnd) => void,
): void {
  const chunks: Buffer[] = []
  let heldBytes = 0
  let needBytes = 1
  const timer = setTimeout(() => finish('timeout'), timeoutMs)

  const onReadable = (): void => {
    let end: PeekEnd | undefined
    while (end === undefined) {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return
      end = add(chunk)
    }
    finish(end)
  }
  /** Joined only when that tells more: a trickle of single bytes must not cost a copy each. */
  function add(chunk: Buffer): PeekEnd | undefined {
    chunks.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < needBytes) return undefined
    const bytes = Buffer.concat(chunks)
    chunks.splice(0, chunks.length, bytes)
    needBytes = look(bytes)
    if (needBytes === 0) return 'enough'
    return needBytes > bytesMax ? 'too_long' : undefined
  }
  const onClosed = (): void => finish('closed')

  function finish(end: PeekEnd): void {
    clearTimeout(timer)
    socket.off('readable', onReadable).off('end', onClosed).off('close', onClosed).off('error', onClosed)
    if (end !== 'closed' && heldBytes > 0) socket.unshift(Buffer.concat(chunks))
    done(end)
  }

  socket.on('readable', onReadable).on('end', onClosed).on('close', onClosed).on('error', onClosed)
  onReadable()
}

/** What a parser makes of the bytes that have come so far. */
export type Reading<Value> =
  /** It needs to see the first `needBytes` bytes before it can say more. */
  | { state: 'more'; needBytes: number }
  | { state: 'read'; value: Value }
  /** Not what was looked for, and no further byte will change that. */
  | { state: 'foreign' }

export const more = (needBytes: number): { state: 'more'; needBytes: number } => ({
  state: 'more',
  needBytes,
})

export const read = <Value>(value: Value): { state: 'read'; value: Value } => ({ state: 'read', value })

export const FOREIGN: { state: 'foreign' } = { state: 'foreign' }
