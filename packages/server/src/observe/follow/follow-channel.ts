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
import { isDeeperThan } from '../../lib/json-depth.ts'
import type { BrowserReport, FollowUps } from './follow-ups.ts'
import { measureRoundTrips } from './round-trips.ts'

/** Late readings are a few kilobytes. */
const MESSAGE_BYTES_MAX = 64 * 1_024
/** Later reports would change nothing: by then `createFollowUps` has forgotten the visit. */
const OPEN_MS_MAX = 60_000
/** When this many are open, channels that only wait for a second report make room. */
const CHANNELS_MAX = 20_000
/** A whole office may share an address, and the checks of a visit take about a second. */
const CHANNELS_PER_ADDRESS_MAX = 100

export interface FollowChannelDeps {
  followUps: FollowUps
  /** Whether the page may use the public key in the URL. */
  isAllowed(request: IncomingMessage): boolean
  /** Undefined without a TURN responder. */
  networkCheck(requestId: string): NetworkCheckTask | undefined
  /** The kernel's minimum round trip on the request's connection, in milliseconds. */
  tcpMinMs(request: IncomingMessage): number | undefined
  clientAddress(request: IncomingMessage): string
  monotonicMs(): number
}

interface Followed {
  requestId: string
  request: IncomingMessage
  address: string
}

export interface FollowChannel {
  /** Handles an HTTP upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
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
  const perAddress = new Map<string, number>()
  const waiting = createWaitingChannels<WebSocket>()

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = deps.clientAddress(request)
    const admission = admit(request, address)
    if (typeof admission === 'string') {
      refuse(socket, admission)
      return
    }
    const { requestId } = admission
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
    socket.once('close', () => {
      deps.followUps.close(requestId)
      const left = (perAddress.get(address) ?? 1) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    })
    server.handleUpgrade(request, socket, head, (channel) => {
      channel.on('close', () => waiting.remove(address, channel))
      void follow(channel, { requestId, request, address })
    })
  }

  /** The request ID of the new channel, or the status line to refuse it with. */
  function admit(request: IncomingMessage, address: string): { requestId: string } | string {
    const requestId = requestIdOf(request.url ?? '')
    if (requestId === undefined) return '404 Not Found'
    if (!deps.isAllowed(request)) return '401 Unauthorized'
    if (!hasRoom(address)) return '503 Service Unavailable'
    return deps.followUps.open(requestId) ? { requestId } : '409 Conflict'
  }

  function hasRoom(address: string): boolean {
    const crowded = (perAddress.get(address) ?? 0) >= CHANNELS_PER_ADDRESS_MAX
    if (!crowded && server.clients.size < CHANNELS_MAX) return true
    const channel = waiting.oldest(crowded ? address : undefined)
    channel?.terminate()
    return channel !== undefined
  }

  async function follow(channel: WebSocket, { requestId, request, address }: Followed): Promise<void> {
    const timer = setTimeout(() => channel.terminate(), OPEN_MS_MAX)
    channel.on('close', () => clearTimeout(timer))
    // A `close` event follows, which does the cleanup.
    channel.on('error', () => channel.terminate())
    const reported = new Promise<void>((resolve) => {
      let messages = 0
      channel.on('close', () => resolve())
      channel.on('message', (data, isBinary) => {
        messages += 1
        const report = isBinary || messages > FOLLOW_REPORTS_MAX ? undefined : readReport(String(data))
        if (report) deps.followUps.addReport(requestId, report)
        if (!report?.more || messages === FOLLOW_REPORTS_MAX) resolve()
        else waiting.add(address, channel)
      })
    })
    const task: FollowTask = { network_check: deps.networkCheck(requestId) ?? null }
    channel.send(JSON.stringify(task))
    const roundTrips = await measureRoundTrips(channel, {
      tcpMinMs: () => deps.tcpMinMs(request),
      monotonicMs: deps.monotonicMs,
    })
    deps.followUps.addRoundTrips(requestId, roundTrips)
    await reported
    channel.close(1_000)
  }

  return {
    upgrade,
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

/** Channels that wait for their second report, by client address. They may be closed at any time. */
interface WaitingChannels<Channel> {
  add(address: string, channel: Channel): void
  remove(address: string, channel: Channel): void
  /** The channel that has waited longest, of one address or of all. */
  oldest(address?: string): Channel | undefined
}

function createWaitingChannels<Channel>(): WaitingChannels<Channel> {
  const byAddress = new Map<string, Set<Channel>>()
  return {
    add(address, channel) {
      const channels = byAddress.get(address) ?? new Set()
      byAddress.set(address, channels.add(channel))
    },
    remove(address, channel) {
      const channels = byAddress.get(address)
      channels?.delete(channel)
      if (channels?.size === 0) byAddress.delete(address)
    },
    oldest(address) {
      const [channels] = address === undefined ? byAddress.values() : [byAddress.get(address)]
      return channels?.values().next().value
    },
  }
}

/** Several times the depth of what an agent sends. */
const DEPTH_MAX = 32

/** Undefined when the text is not a report of an agent. */
function readReport(text: string): BrowserReport | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isDeeperThan(sent, DEPTH_MAX)) return undefined
  const { success, data } = FollowReport.safeParse(sent)
  if (!success) return undefined
  const { network, readings, more = false } = data
  return { network, readings: readings && JSON.stringify(readings), more }
}
