import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limitKeys } from '../lib/address-limit.ts'
import { AppError } from '../lib/errors.ts'
import { createFairShares } from '../lib/fair-shares.ts'

/** Bytes of all bodies in memory, each from its first byte to its answer: about six thousand ordinary bodies. */
const HELD_BYTES_MAX = 64 * 1024 * 1024

/** The memory that one request's body takes. */
interface Hold {
  bytes: number
  /** The client's address or network. */
  group: string
  /** Gives the body up while it is still being received. */
  refuse: ((reason: AppError) => void) | undefined
  /** Whether its handler may still read it. */
  inUse: boolean
  closed: boolean
}

/**
 * Reads every body as bytes, whatever its type, within a limit for all bodies together. Received bytes count, not the
 * announced length, so that a slow client takes no more than it has sent. When a client hangs up, its bytes count
 * until its request has been processed. Over the limit, bodies of the address that sent most are refused, the newest
 * first.
 * @param addressOf the client's address
 * @throws AppError when the bodies together or one body are over their limits, or the connection breaks
 */
export function readBodies(
  app: FastifyInstance,
  addressOf: (request: FastifyRequest) => string,
  heldBytesMax = HELD_BYTES_MAX,
): void {
  const held = createFairShares<Hold>()
  const holds = new WeakMap<IncomingMessage, Hold>()

  function take(hold: Hold, bytes: number): void {
    hold.bytes += bytes
    held.set(hold, hold.group, hold.bytes)
    while (held.total() > heldBytesMax) {
      const receiving = [...held.holdersOf(held.greediestGroup() ?? '')].filter(({ refuse }) => refuse)
      const leaving = receiving.at(-1) ?? hold
      held.remove(leaving)
      leaving.bytes = 0
      leaving.refuse?.(new AppError('INK_SERVER_BUSY'))
    }
  }

  function release(hold: Hold): void {
    if (hold.inUse || !hold.closed) return
    held.remove(hold)
    hold.bytes = 0
  }

  app.addHook('onRequest', (request, reply, done) => {
    const [group] = limitKeys(addressOf(request))
    const hold: Hold = { bytes: 0, group, refuse: undefined, inUse: false, closed: false }
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
    const receiving = collect(payload, bytesMax, (bytes) => hold && take(hold, bytes))
    if (hold) hold.refuse = receiving.refuse
    receiving.body
      .finally(() => {
        if (hold) hold.refuse = undefined
      })
      .then((body) => done(null, body), done)
  })
}

interface Receiving {
  body: Promise<Buffer>
  /** Gives up what has arrived, and discards the rest. */
  refuse(reason: AppError): void
}

/** @param count called with the length of each part */
function collect(payload: IncomingMessage, bytesMax: number, count: (bytes: number) => void): Receiving {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0

  function take(chunk: Buffer): void {
    length += chunk.length
    if (length > bytesMax) refuse(new AppError('INK_BODY_TOO_LARGE'))
    else {
      chunks.push(chunk)
      // Last, because it may refuse this body.
      count(chunk.length)
    }
  }

  function refuse(reason: AppError): void {
    payload.off('data', take).resume()
    chunks.length = 0
    reject(reason)
  }

  payload
    .on('data', take)
    .once('end', () => resolve(Buffer.concat(chunks)))
    .once('error', (cause) => reject(new AppError('INK_UNREADABLE_REQUEST', undefined, { cause })))
  return { body: promise, refuse }
}
