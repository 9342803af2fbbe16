import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TurnCredential } from '../src/observe/turn/turn-credentials.ts'

/** An independent TURN client: it shares no code with the server. */

const COOKIE = Buffer.from('2112a442', 'hex')
export const UDP_TRANSPORT = Buffer.from('0019000411000000', 'hex')

export const attribute = (type: number, value: Buffer | string): Buffer => {
  const bytes = Buffer.from(value)
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([head, bytes, Buffer.alloc(-bytes.length & 3)])
}

export function message(type: number, ...attributes: Buffer[]): Buffer {
  const body = Buffer.concat(attributes)
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, COOKIE, randomBytes(12), body])
}

export const binding = (): Buffer => message(0x0001)
export const allocate = (): Buffer => message(0x0003, UDP_TRANSPORT)

const longTermKey = ({ username, credential }: TurnCredential, realm: string): Buffer =>
  createHash('md5').update(`${username}:${realm}:${credential}`).digest()

/** HMAC over the bytes before the attribute, with a header length that includes its 24 bytes. */
function mac(before: Buffer, key: Buffer): Buffer {
  const covered = Buffer.from(before)
  covered.writeUInt16BE(before.length - 20 + 24, 2)
  return createHmac('sha1', key).update(covered).digest()
}

/** The second Allocate request in the form of Chromium. */
export function authenticated(given: TurnCredential, { realm = 'inkling', nonce = '' }): Buffer {
  const unsigned = message(
    0x0003,
    UDP_TRANSPORT,
    attribute(0x0006, given.username),
    attribute(0x0014, realm),
    attribute(0x0015, nonce),
  )
  const signed = Buffer.concat([unsigned, attribute(0x0008, mac(unsigned, longTermKey(given, realm)))])
  signed.writeUInt16BE(signed.length - 20, 2)
  return signed
}

export interface Reply {
  type: number
  transactionId: Buffer
  /** The number of ERROR-CODE. */
  code: number | undefined
  realm: string
  nonce: string
  bytes: Buffer
  attributes: Map<number, Buffer>
}

export function readReply(bytes: Buffer): Reply {
  const attributes = new Map<number, Buffer>()
  for (let offset = 20; offset < bytes.length; ) {
    const length = bytes.readUInt16BE(offset + 2)
    attributes.set(bytes.readUInt16BE(offset), bytes.subarray(offset + 4, offset + 4 + length))
    offset += 4 + length + (-length & 3)
  }
  const error = attributes.get(0x0009)
  return {
    type: bytes.readUInt16BE(0),
    transactionId: bytes.subarray(8, 20),
    code: error && error.readUInt8(2) * 100 + error.readUInt8(3),
    realm: attributes.get(0x0014)?.toString() ?? '',
    nonce: attributes.get(0x0015)?.toString() ?? '',
    bytes,
    attributes,
  }
}

/** Whether the reply ends with a valid MESSAGE-INTEGRITY for the credential. */
export const isSignedFor = ({ bytes }: Reply, given: TurnCredential): boolean =>
  mac(bytes.subarray(0, -24), longTermKey(given, 'inkling')).equals(bytes.subarray(-20))

export interface TurnClient {
  port: number
  /** The reply with the request's transaction ID. */
  ask(request: Buffer): Promise<Reply>
  /** Sends a message without waiting for a reply. */
  tell(bytes: Buffer): void
  /** Bytes of every reply so far. */
  received(): number
}

/** A client on its own UDP port at `from`. */
export async function udpClient(port: number, host = '127.0.0.1', from = host): Promise<TurnClient> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  onTestFinished(() => void socket.close())
  socket.bind(0, from)
  await once(socket, 'listening')
  const replies = repliesByTransaction()
  socket.on('message', (bytes) => replies.take(bytes))
  return {
    port: socket.address().port,
    ask(request) {
      const reply = replies.of(request)
      socket.send(request, port, host)
      return reply
    },
    tell: (bytes) => socket.send(bytes, port, host),
    received: replies.bytes,
  }
}

export interface TcpTurnClient extends TurnClient {
  socket: Socket
  /** The reply to a request that the test sends itself. */
  replyTo(request: Buffer): Promise<Reply>
  /** Resolves when the connection is closed or reset. */
  closed: Promise<void>
}

export async function tcpClient(port: number, host = '127.0.0.1'): Promise<TcpTurnClient> {
  const socket = connect({ port, host, noDelay: true }).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  const replies = repliesByTransaction()
  let pending: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 20 && pending.length >= 20 + pending.readUInt16BE(2)) {
      const length = 20 + pending.readUInt16BE(2)
      replies.take(pending.subarray(0, length))
      pending = pending.subarray(length)
    }
  })
  return {
    socket,
    replyTo: replies.of,
    closed,
    port: socket.localPort ?? 0,
    ask(request) {
      const reply = replies.of(request)
      socket.write(request)
      return reply
    },
    tell: (bytes) => void socket.write(bytes),
    received: replies.bytes,
  }
}

function repliesByTransaction() {
  const waiting = new Map<string, (reply: Reply) => void>()
  let bytes = 0
  return {
    bytes: () => bytes,
    of: (request: Buffer) =>
      new Promise<Reply>((resolve) => waiting.set(request.toString('hex', 8, 20), resolve)),
    take(received: Buffer) {
      bytes += received.length
      const reply = readReply(Buffer.from(received))
      waiting.get(reply.transactionId.toString('hex'))?.(reply)
    },
  }
}
