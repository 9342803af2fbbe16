import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { RoundTrips } from './follow-ups.ts'

/** The minimum of five is close to the network latency; measured on clean and on jittery links. */
const PINGS = 5
/** Between pings, so that a delayed acknowledgment does not coincide with the next ping. */
const PAUSE_MS = 100
/** Too many to guess. A browser echoes them: https://www.rfc-editor.org/rfc/rfc6455#section-5.5.3 */
const PAYLOAD_BYTES = 8
/** No network path takes this long: the visitor has left. */
const PONG_WITHIN_MS = 5_000

interface RoundTripDeps {
  /** The kernel's minimum round trip on the same connection so far. */
  tcpMinMs(): number | undefined
  monotonicMs(): number
}

/**
 * Measures WebSocket pings, which the browser answers itself, and the kernel's TCP round trip on the same
 * connection. Where a proxy terminates TCP, the difference is the latency between the proxy and the visitor, as
 * described by BADPASS (https://doi.org/10.1007/978-3-031-21280-2_18). Undefined when the connection closes or the
 * kernel reports nothing.
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
  // Read last, because the kernel's minimum gets more accurate with every packet.
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
    const payload = randomBytes(PAYLOAD_BYTES)
    // A pong that nobody asked for would shorten the time.
    const answered = (echoed: Buffer) => {
      if (payload.equals(echoed)) finish(monotonicMs() - sentMs)
    }
    const gone = () => finish(undefined)
    const timer = setTimeout(gone, PONG_WITHIN_MS)
    socket.on('pong', answered)
    socket.on('close', gone)
    socket.ping(payload)
  })
}

const pause = (timeMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeMs))
