import { createRequire } from 'node:module'

/** The two calls of the C library, on raw file descriptors. Zero means done. */
export interface SocketOptions {
  /** `length` holds the room in bytes, afterwards what was filled of it. */
  get(fd: number, level: number, name: number, into: ArrayBufferView, length: Uint32Array): number
  set(fd: number, level: number, name: number, value: ArrayBufferView, lengthBytes: number): number
}

/** Throws where koffi is not installed or has no binary for the machine. */
export function loadSocketOptions(): SocketOptions {
  // An optional dependency: an import at the top of a file would stop the server where it is missing.
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi')
  const library = koffi.load(null)
  return {
    get: library.func('int getsockopt(int, int, int, void *, void *)'),
    set: library.func('int setsockopt(int, int, int, const void *, uint32_t)'),
  }
}
