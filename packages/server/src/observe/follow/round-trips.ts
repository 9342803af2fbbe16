import type { WebSocket } from 'ws'
import type { RoundTrips } from './follow-ups.ts'

/** The smallest of five tells the path from the noise; measured on clean and jittery links. */
const PINGS = 5
/** Apart, so that a delayed acknowledgment of one does not hide in the next. */
const PAUSE_MS = 100
/** No path is this long: the visitor is gone. */
const PONG_WITHIN_MS = 5_000

interface RoundTripDeps {
  /** The kernel's smallest round trip on the same connection, by now. */
  tcpMinMs(): number | undefined
  monotonicMs(): number
}

/**
 * Pings a WebSocket, which the browser answers below any script, and compares with the kernel's round
 * trips: the difference is the way from a proxy to the visitor. Undefined when the connection went away
 * or the kernel tells nothing.
 */
export async function measureRoundTrips(
  socket: WebSocket,
  { tcpMinMs, monotonicMs }: RoundTripDeps,
): Promise<RoundTrips | undefined> {
  const samples: number[] = []
  for (let count = 0; count < PINGS; count += 1) {
    if (count > 0) await pause(PAUSE_MS)
    const sample = await ping(socket, monotonicMs)
    if (sample === undefined) return undefined
    samples.push(sample)
  }
  // Read last: the kernel's minimum gets better with every packet.
  const kernel = tcpMinMs()
  if (kernel === undefined) return undefined
  return { applicationMinMs: Math.min(...samples), tcpMinMs: kernel, samples: samples.length }
}

function ping(socket: WebSocket, monotonicMs: () => number): Promise<number | undefined> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const sentMs = monotonicMs()
    const finish = (sample: number | undefined) => {
      clearTimeout(timer)
      socket.off('pong', answered)
      socket.off('close', gone)
      resolve(sample)
    }
    const answered = () => finish(monotonicMs() - sentMs)
    const gone = () => finish(undefined)
    const timer = setTimeout(gone, PONG_WITHIN_MS)
    socket.on('pong', answered)
    socket.on('close', gone)
    socket.ping()
  })
}

const pause = (timeMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeMs))
