import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/errors.ts'

/** Bytes of all bodies in memory, each from its first byte to its answer: about six thousand ordinary bodies. */
const HELD_BYTES_MAX = 64 * 1024 * 1024

/** The memory that one request's body takes. */
interface Hold {
  bytes: number
  /** Whether its handler may still read it. */
  inUse: boolean
  closed: boolean
}

/**
 * Reads every body as bytes, whatever its type, within a limit for all bodies together. Received bytes count, not the
 * announced length, so that a slow client takes no more than it has sent. When a client hangs up, its bytes count
 * until its request has been processed.
 * @throws AppError when the bodies together or one body are over their limits, or the connection breaks
 */
export function readBodies(app: FastifyInstance, heldBytesMax = HELD_BYTES_MAX): void {
  let heldBytes = 0
  const holds = new WeakMap<IncomingMessage, Hold>()

  function take(hold: Hold, bytes: number): void {
    if (heldBytes + bytes > heldBytesMax) throw new AppError('INK_SERVER_BUSY')
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
    // The response's event, because a request closes as soon as its body is read.
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
  // Runs for every answer and error, also when the client is gone.
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
      if (length > bytesMax) throw new AppError('INK_BODY_TOO_LARGE')
      hold(chunk.length)
      chunks.push(chunk)
    } catch (refused) {
      // Discard the rest.
      payload.off('data', take)
      chunks.length = 0
      reject(refused)
    }
  }

  payload
    .on('data', take)
    .once('end', () => resolve(Buffer.concat(chunks)))
    .once('error', (cause) => reject(new AppError('INK_UNREADABLE_REQUEST', undefined, { cause })))
  return promise
}
