import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  FOLLOW_PREFIX,
  FOLLOW_REPORTS_MAX,
  FollowReport,
  type FollowTask,
  isUuid,
  type NetworkCheckTask,
} from '@inkling/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import { limitKeys } from '../../lib/address-limit.ts'
import { isDeeperThan } from '../../lib/json-depth.ts'
import { type ChannelRefusal, createChannelPlaces } from './channel-places.ts'
import type { BrowserReport, FollowUps } from './follow-ups.ts'
import { measureRoundTrips } from './round-trips.ts'

/** Late readings are a few kilobytes. */
const MESSAGE_BYTES_MAX = 64 * 1_024
/** Later reports would change nothing: by then `createFollowUps` has forgotten the visit. */
const OPEN_MS_MAX = 60_000
/**
 * Agents open the channel before they send the snapshot. A slow phone collects for some seconds and sends for some
 * more; a channel whose snapshot has not arrived by then is nobody's.
 */
const SNAPSHOT_WITHIN_MS = 30_000

export interface FollowChannelDeps {
  followUps: FollowUps
  /** Whether the page may use the public key in the URL. */
  isAllowed(request: IncomingMessage): boolean
  /** Undefined without a TURN responder. */
  networkCheck(requestId: string): NetworkCheckTask | undefined
  /** The kernel's minimum round trip on the request's connection, in milliseconds. */
  tcpMinMs(request: IncomingMessage): number | undefined
  clientAddress(request: IncomingMessage): string
  /** Whether it is a valid ticket of the request ID and the address. */
  isTicket(ticket: string, holder: { requestId: string; address: string }): boolean
  /** How many channels an address may open in a minute. */
  opensPerMinute: number
  onRefused?: (reason: ChannelRefusal) => void
  monotonicMs(): number
  snapshotWithinMs?: number
}

interface Followed {
  requestId: string
  address: string
  request: IncomingMessage
}

export interface FollowChannel {
  /** Handles an HTTP upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  load(): { channels: number; unfinishedBytes: number }
  close(): void
}

/** The server's side of the follow-up channel; `FOLLOW_PREFIX` in the contract describes the protocol. */
export function createFollowChannel(deps: FollowChannelDeps): FollowChannel {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const { snapshotWithinMs = SNAPSHOT_WITHIN_MS } = deps
  const places = createChannelPlaces<Duplex>({ ...deps, destroy: (socket) => socket.destroy() })

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = deps.clientAddress(request)
    const [group] = limitKeys(address)
    const admission = admit(request, address, group)
    if (typeof admission === 'string') {
      refuse(socket, admission)
      return
    }
    const { requestId } = admission
    places.add(group, socket)
    socket.once('close', () => {
      deps.followUps.close(requestId)
      places.remove(socket)
    })
    server.handleUpgrade(request, socket, head, (channel) => {
      // What arrived with the request is in `head`, and was given to the channel.
      places.received(socket, head.length)
      socket.prependListener('data', (chunk: Buffer) => places.received(socket, chunk.length))
      for (const event of ['message', 'ping', 'pong'] as const)
        channel.prependListener(event, (data: Buffer) => places.completed(socket, data.length))
      void follow(channel, { requestId, address, request }, () => places.mayLeave(socket))
    })
  }

  /** The request ID of the new channel, or the status line to refuse it with. */
  function admit(request: IncomingMessage, address: string, group: string): { requestId: string } | string {
    const requestId = requestIdOf(request.url ?? '')
    if (requestId === undefined) return '404 Not Found'
    if (!deps.isAllowed(request)) return '401 Unauthorized'
    const refusal = places.refusalOf(group)
    if (refusal !== undefined) {
      deps.onRefused?.(refusal)
      return '503 Service Unavailable'
    }
    return deps.followUps.open(requestId, address) ? { requestId } : '409 Conflict'
  }

  /** @param onWaiting called when the channel only waits for a second report */
  async function follow(
    channel: WebSocket,
    { requestId, address, request }: Followed,
    onWaiting: () => void,
  ): Promise<void> {
    const timers = [
      setTimeout(() => channel.terminate(), OPEN_MS_MAX),
      setTimeout(() => {
        if (!deps.followUps.isSeen(requestId)) channel.terminate()
      }, snapshotWithinMs),
    ]
    channel.on('close', () => {
      for (const timer of timers) clearTimeout(timer)
    })
    // A `close` event follows, which does the cleanup.
    channel.on('error', () => channel.terminate())
    const reported = new Promise<void>((resolve) => {
      let messages = 0
      channel.on('close', () => resolve())
      channel.on('message', (data, isBinary) => {
        messages += 1
        const report = isBinary || messages > FOLLOW_REPORTS_MAX ? undefined : readReport(String(data))
        if (report?.ticket !== undefined && deps.isTicket(report.ticket, { requestId, address }))
          deps.followUps.vouch(requestId, address)
        // Without a ticket a visit that was forgotten is not begun anew.
        if (report && deps.followUps.has(requestId)) deps.followUps.addReport(requestId, report)
        if (!report?.more || messages === FOLLOW_REPORTS_MAX) resolve()
        else onWaiting()
      })
    })
    const task: FollowTask = { network_check: deps.networkCheck(requestId) ?? null }
    channel.send(JSON.stringify(task))
    const roundTrips = await measureRoundTrips(channel, {
      tcpMinMs: () => deps.tcpMinMs(request),
      monotonicMs: deps.monotonicMs,
    })
    if (deps.followUps.has(requestId)) deps.followUps.addRoundTrips(requestId, roundTrips)
    await reported
    channel.close(1_000)
  }

  return {
    upgrade,
    load: places.load,
    close() {
      for (const channel of server.clients) channel.terminate()
      server.close()
    },
  }
}

function requestIdOf(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? ''
  if (!path.startsWith(FOLLOW_PREFIX)) return undefined
  const requestId = path.slice(FOLLOW_PREFIX.length)
  return isUuid(requestId) ? requestId.toLowerCase() : undefined
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Several times the depth of what an agent sends. */
const DEPTH_MAX = 32

interface SentReport extends BrowserReport {
  ticket: string | undefined
}

/** Undefined when the text is not a report of an agent. */
function readReport(text: string): SentReport | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isDeeperThan(sent, DEPTH_MAX)) return undefined
  const { success, data } = FollowReport.safeParse(sent)
  if (!success) return undefined
  const { ticket, network, readings, more = false } = data
  return { ticket, network, readings: readings && JSON.stringify(readings), more }
}
