import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { readFileIfExists } from '../lib/read-file-if-exists.ts'
import { createTurns } from '../lib/turns.ts'

/** A body that is the same for everybody. It is in memory once, however many clients read it, and is compressed once. */
export interface StaticBody {
  /** Sends it, compressed where the client allows. Headers about caching are the caller's. */
  send(reply: FastifyReply): Promise<FastifyReply>
}

/** The body of a file; undefined when it does not exist. */
export type KeptFiles = (file: string) => Promise<StaticBody | undefined>

/** Reads each file at its first request, once however many ask for it at the same time, and keeps it. */
export function createKeptFiles(bodyOf: (file: string, content: Buffer) => StaticBody): KeptFiles {
  const kept = new Map<string, Promise<StaticBody | undefined>>()

  async function read(file: string): Promise<StaticBody | undefined> {
    const content = await readFileIfExists(file).catch((error: unknown) => {
      kept.delete(file)
      throw error
    })
    if (!content) kept.delete(file)
    return content && bodyOf(file, content)
  }

  return (file) => {
    const reading = kept.get(file) ?? read(file)
    kept.set(file, reading)
    return reading
  }
}

interface Forms {
  plain?: Promise<Buffer> | undefined
  packed?: Promise<Buffer> | undefined
}

/** Encryption copies what is handed to the socket, so clients that read slowly get pieces. */
const PIECE_BYTES = 16 * 1_024

/** Hundreds of readers that begin together would each be written a piece before anybody else is served. */
const turns = createTurns()

export const staticBody = (type: string, content: string | Buffer): StaticBody =>
  bodyOf(type, { plain: Promise.resolve(Buffer.from(content)) })

/** The same for content that the build has compressed. */
export const packedBody = (type: string, content: Buffer): StaticBody =>
  bodyOf(type, { packed: Promise.resolve(content) })

function bodyOf(type: string, forms: Forms): StaticBody {
  // Made at the first request for it. Assigned before anything is awaited, so that further ones share it.
  const plain = (): Promise<Buffer> => (forms.plain ??= converted(forms.packed, promisify(gunzip)))
  const packed = (): Promise<Buffer> => (forms.packed ??= converted(forms.plain, promisify(gzip)))

  return {
    async send(reply) {
      reply.type(type).header('vary', 'accept-encoding')
      if (!/\bgzip\b/.test(reply.request.headers['accept-encoding']?.toString() ?? ''))
        return sendBytes(reply, await plain())
      return sendBytes(reply.header('content-encoding', 'gzip'), await packed())
    },
  }
}

const converted = async (
  other: Promise<Buffer> | undefined,
  convert: (bytes: Buffer) => Promise<Buffer>,
): Promise<Buffer> => convert((await other) ?? Buffer.alloc(0))

function sendBytes(reply: FastifyReply, bytes: Buffer): FastifyReply {
  reply.header('content-length', bytes.length)
  if (bytes.length <= PIECE_BYTES) return reply.send(bytes)
  const pieces = piecesOf(bytes, reply.request.ip)
  return reply.send(Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_BYTES }))
}

async function* piecesOf(bytes: Buffer, address: string): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    await new Promise<void>((resolve) => turns.run(address, resolve))
    yield bytes.subarray(start, start + PIECE_BYTES)
  }
}
