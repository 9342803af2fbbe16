import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isUuid } from '@inkling/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { isDeeperThan } from '../../lib/json-depth.ts'
import type { BrowserReport, FollowUps } from './follow-ups.ts'
import { measureRoundTrips } from './round-trips.ts'

export const FOLLOW_PREFIX = '/follow/'

/** Late readings are a few kilobytes. */
const MESSAGE_BYTES_MAX = 64 * 1_024
/** The first report, and one on how the visitor acts. */
const MESSAGES_MAX = 2
/** What comes later corrects nothing any more; see `createFollowUps`. */
const OPEN_MS_MAX = 60_000
/** Full, the channels that only wait for an action give way. */
const CHANNELS_MAX = 20_000
/** Offices share an address; a visit's checks take about a second. */
const CHANNELS_PER_ADDRESS_MAX = 100

/** What the browser's network check needs; undefined where there is no responder. */
export interface NetworkCheckTask {
  urls: string[]
  username: string
  credential: string
}

export interface FollowChannelDeps {
  followUps: FollowUps
  /** Whether the page may use the key that it named. */
  isAllowed(request: IncomingMessage): boolean
  networkCheck(requestId: string): NetworkCheckTask | undefined
  /** The kernel's smallest round trip on the request's connection, milliseconds. */
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
  /** Takes over a connection that asks to be upgraded. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

/**
 * WebSocket `/follow/{request_id}?publicKey=KEY`. The server says what to check and pings; the agent answers
 * with its word on the network check and the readings that were too slow for the snapshot. With `more` in it the
 * channel stays, for one more answer once the visitor has acted.
 */
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

  /** The request whose channel this becomes, or the status line of a refusal. */
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
    // The close that follows says all there is to know.
    channel.on('error', () => channel.terminate())
    const reported = new Promise<void>((resolve) => {
      let messages = 0
      channel.on('close', () => resolve())
      channel.on('message', (data, isBinary) => {
        messages += 1
        const report = isBinary || messages > MESSAGES_MAX ? undefined : readReport(String(data))
        if (report) deps.followUps.reported(requestId, report)
        if (!report?.more || messages === MESSAGES_MAX) resolve()
        else waiting.add(address, channel)
      })
    })
    channel.send(JSON.stringify({ network_check: deps.networkCheck(requestId) ?? null }))
    const roundTrips = await measureRoundTrips(channel, {
      tcpMinMs: () => deps.tcpMinMs(request),
      monotonicMs: deps.monotonicMs,
    })
    deps.followUps.roundTrips(requestId, roundTrips)
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

/** Channels, by address, that have said everything but how the visitor acts. Nothing is lost when they end. */
export interface WaitingChannels<Channel> {
  add(address: string, channel: Channel): void
  remove(address: string, channel: Channel): void
  /** The one that has waited longest: of the address if given, else of any. */
  oldest(address?: string): Channel | undefined
}

export function createWaitingChannels<Channel>(): WaitingChannels<Channel> {
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

/** Several times what an agent sends. */
const LEVELS_MAX = 32

const Report = z.object({
  network: z
    .object({ outcome: z.enum(['complete', 'unsupported', 'failed']), answered: z.boolean() })
    .optional(),
  readings: z.record(z.string(), z.unknown()).optional(),
  more: z.boolean().optional(),
})

/** What the agent says at the end of its checks, or of the visitor's action after that; undefined for anything else. */
export function readReport(text: string): BrowserReport | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isDeeperThan(sent, LEVELS_MAX)) return undefined
  const { success, data } = Report.safeParse(sent)
  if (!success) return undefined
  const { network, readings, more = false } = data
  return { network, readings: readings && JSON.stringify(readings), more }
}
