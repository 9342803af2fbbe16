import { createServer } from 'node:http'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { createSecretBox } from '../../lib/secret-box.ts'
import type { NodeMessage } from './shared-follow-ups.ts'

/** What became of a message. Undelivered evidence is missing, as if its check had not answered. */
export type NodeMessageOutcome = 'sent' | 'received' | 'lost' | 'refused'

export interface NodeLinksOptions {
  /** `host:port` of this node, where it listens for the others. */
  self: string
  /** 32 bytes that all nodes have. */
  key: Uint8Array
  /** Wall clock, milliseconds. */
  now(): number
  onMessage(from: string, message: NodeMessage): void
  counted(outcome: NodeMessageOutcome): void
}

export interface NodeLinks {
  send(to: string, message: NodeMessage): void
  close(): Promise<void>
}

interface Link {
  socket: WebSocket
  /** Messages for when it is connected. */
  waiting: Buffer[]
}

interface Envelope {
  from: string
  atMs: number
  message: NodeMessage
}

/** A report with its late readings is the longest. */
const MESSAGE_BYTES_MAX = 256 * 1_024
const WAITING_MAX = 1_000
const CONNECT_MS = 2_000
const WAITING_BYTES_MAX = 8 * 1_024 * 1_024
/** The clocks of nodes agree to within seconds. An older message is a recorded one. */
const AGE_MS_MAX = 60_000
const LINKS_MAX = 1_000

/**
 * Sends messages between the nodes of an installation, each encrypted and authenticated under the installation's key. A
 * node is connected to when there is a first message for it; what cannot be sent is dropped.
 * @throws when the port cannot be listened on
 */
export async function openNodeLinks(options: NodeLinksOptions): Promise<NodeLinks> {
  const { self, key, now, onMessage, counted } = options
  const box = createSecretBox(key)
  const links = new Map<string, Link>()
  const http = createServer((_request, response) => response.writeHead(404).end())
  http.maxConnections = LINKS_MAX
  const server = new WebSocketServer({
    server: http,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  })

  function read(data: RawData): Envelope | undefined {
    try {
      const envelope = JSON.parse(box.open(data as Buffer)) as Envelope
      return Math.abs(now() - envelope.atMs) < AGE_MS_MAX ? envelope : undefined
    } catch {
      return undefined
    }
  }

  server.on('connection', (socket) => {
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => {
      const envelope = read(data)
      counted(envelope ? 'received' : 'refused')
      if (envelope) onMessage(envelope.from, envelope.message)
      else socket.terminate()
    })
  })
  const { host, port } = placeOf(self)
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, resolve)
  })

  function linkTo(to: string): Link {
    const known = links.get(to)
    if (known) return known
    const socket = new WebSocket(`ws://${to}`, { perMessageDeflate: false, handshakeTimeout: CONNECT_MS })
    const link: Link = { socket, waiting: [] }
    socket.on('open', () => {
      for (const sealed of link.waiting.splice(0)) write(socket, sealed)
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      for (const _ of link.waiting) counted('lost')
      if (links.get(to) === link) links.delete(to)
    })
    links.set(to, link)
    return link
  }

  function write(socket: WebSocket, sealed: Buffer): void {
    if (socket.bufferedAmount > WAITING_BYTES_MAX) counted('lost')
    else socket.send(sealed, (error) => counted(error ? 'lost' : 'sent'))
  }

  return {
    send(to, message) {
      const { socket, waiting } = linkTo(to)
      const envelope: Envelope = { from: self, atMs: now(), message }
      const sealed = box.seal(JSON.stringify(envelope))
      if (socket.readyState !== WebSocket.CONNECTING) write(socket, sealed)
      else if (waiting.length < WAITING_MAX) waiting.push(sealed)
      else counted('lost')
    },
    async close() {
      for (const { socket } of links.values()) socket.terminate()
      for (const socket of server.clients) socket.terminate()
      server.close()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Of `host:port` or `[host]:port`. */
export function placeOf(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}
