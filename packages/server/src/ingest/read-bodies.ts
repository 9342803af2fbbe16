import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../lib/refusal.ts'

/** Bytes of bodies in memory at a time, from the first of them to the answer: six thousand ordinary ones. */
export const HELD_BYTES_MAX = 64 * 1024 * 1024

/** What the body of one request takes. */
interface Hold {
  bytes: number
  /** Whether its handler may still read it. */
  inUse: boolean
  closed: boolean
}

/**
 * Reads every body as bytes, whatever its type. What all of them take together is bounded, by what has arrived and
 * not by what was announced: a client that sends slowly takes no more than it has sent. A client that hangs up gives
 * nothing back while its request is still being worked on.
 */
export function readBodies(app: FastifyInstance, heldBytesMax = HELD_BYTES_MAX): void {
  let heldBytes = 0
  const holds = new WeakMap<IncomingMessage, Hold>()

  function take(hold: Hold, bytes: number): void {
    if (heldBytes + bytes > heldBytesMax) throw new Refusal('server_busy', 'server is busy')
    heldBytes += bytes
    hold.bytes += bytes
  }

  function release(hold: Hold): void {
    if (hold.inUse || !hold.closed) return
    heldBytes -= hold.bytes
    hold.bytes = 0
  }

  app.addHook('onRequest', (request, reply, done) => {
    const hold: Hold = { bytes: 0, inUse: false, closed: false }
    holds.set(request.raw, hold)
    // Of a response, because a request is closed as soon as its body is read.
    reply.raw.once('close', () => {
      hold.closed = true
      release(hold)
    })
    done()
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const hold = holds.get(request.raw)
    if (hold) hold.inUse = true
    done()
  })
  // What a handler answers, or fails with, comes by here whether the client is still there or not.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const hold = holds.get(request.raw)
    if (hold) {
      hold.inUse = false
      release(hold)
    }
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    const hold = holds.get(request.raw)
    const bytesMax = request.routeOptions.bodyLimit
    collect(payload, bytesMax, (bytes) => hold && take(hold, bytes)).then((body) => done(null, body), done)
  })
}

function collect(payload: IncomingMessage, bytesMax: number, hold: (bytes: number) => void): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0

  function take(chunk: Buffer): void {
    length += chunk.length
    try {
      if (length > bytesMax) throw new Refusal('too_large', 'body is larger than 512 KB')
      hold(chunk.length)
      chunks.push(chunk)
    } catch (refused) {
      // What still arrives is let go by.
      payload.off('data', take)
      chunks.length = 0
      reject(refused)
    }
  }

  payload
    .on('data', take)
    .once('end', () => resolve(Buffer.concat(chunks)))
    .once('error', (cause) =>
      reject(new Refusal('invalid_request', 'the request could not be read', { cause })),
    )
  return promise
}
