import type { Duplex } from 'node:stream'

/** What a parser can say about the bytes that have arrived so far. */
export type Parsed<Value> =
  /** It needs the first `needBytes` bytes before it can say more. */
  | { state: 'more'; needBytes: number }
  | { state: 'done'; value: Value }
  /** Another protocol; more bytes will not change that. */
  | { state: 'foreign' }

export const more = (needBytes: number): { state: 'more'; needBytes: number } => ({
  state: 'more',
  needBytes,
})

export const done = <Value>(value: Value): { state: 'done'; value: Value } => ({ state: 'done', value })

export const FOREIGN: { state: 'foreign' } = { state: 'foreign' }

export interface PeekLimits {
  bytesMax: number
  timeoutMs: number
}

/** How a peek ended; `closed` includes a socket error. */
export type PeekEnd = 'enough' | 'too_long' | 'timeout' | 'closed'

/**
 * Shows `inspect` the first bytes that a socket receives until it has seen enough, then puts every byte
 * back for the next reader and calls `onEnd`.
 * @param inspect gets all bytes so far and returns how many it needs to see at least; 0 for enough
 */
export function peek(
  socket: Duplex,
  inspect: (bytes: Buffer) => number,
  { bytesMax, timeoutMs }: PeekLimits,
  onEnd: (end: PeekEnd) => void,
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
  /** Joins the chunks only when there are enough bytes: a client that sends single bytes must not cost a copy each. */
  function add(chunk: Buffer): PeekEnd | undefined {
    chunks.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < needBytes) return undefined
    const bytes = Buffer.concat(chunks)
    chunks.splice(0, chunks.length, bytes)
    needBytes = inspect(bytes)
    if (needBytes === 0) return 'enough'
    return needBytes > bytesMax ? 'too_long' : undefined
  }
  const onClosed = (): void => finish('closed')

  function finish(end: PeekEnd): void {
    clearTimeout(timer)
    socket.off('readable', onReadable).off('end', onClosed).off('close', onClosed).off('error', onClosed)
    if (end !== 'closed' && heldBytes > 0) socket.unshift(Buffer.concat(chunks))
    onEnd(end)
  }

  socket.on('readable', onReadable).on('end', onClosed).on('close', onClosed).on('error', onClosed)
  onReadable()
}
