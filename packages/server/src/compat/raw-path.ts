import type { FastifyRequest } from 'fastify'

export interface RawPath {
  /** Path segments after a prefix, exactly as they were sent: nothing is decoded. */
  segments: string[]
  query: URLSearchParams
}

/** Reads the request's path below a prefix without decoding it: some values are compared byte by byte. */
export function rawSegments(request: FastifyRequest, prefix: string): RawPath {
  const url = request.originalUrl
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  return {
    segments: path.slice(prefix.length).split('/'),
    query: new URLSearchParams(question < 0 ? '' : url.slice(question + 1)),
  }
}
