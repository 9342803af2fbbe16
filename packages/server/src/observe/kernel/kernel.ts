import { createRequire } from 'node:module'

/** The round trip of one connection as the kernel measures it, and what it may send at once. */
export interface TcpInfo {
  /** The smallest so far; the one to read, because delayed acknowledgments lengthen the smoothed one. */
  minRttMs: number
  /** Smoothed. */
  rttMs: number
  /** Bytes of data it puts into one segment: at most the smaller MSS less the timestamps. */
  sndMss: number
}

/**
 * What Linux keeps of TCP connections. File descriptors are reused: read one from `socket._handle.fd` and
 * use it in the same turn.
 */
export interface Kernel {
  available: boolean
  /** Why not, for the operator: `platform`, or what loading said. */
  reason: string | undefined
  /** Has the kernel keep the SYN of connections that this listener accepts from now on. */
  saveSyns(listenFd: number): boolean
  /** The IP and TCP headers of the first packet, once. Undefined when none was kept: under SYN cookies there is none. */
  savedSyn(fd: number): Uint8Array | undefined
  /** Undefined until a round trip was measured, as when the handshake was sent twice. */
  tcpInfo(fd: number): TcpInfo | undefined
}

/** Names of `<linux/tcp.h>` and `<netinet/in.h>`; the same on every architecture. */
const IPPROTO_TCP = 6
const TCP_INFO = 11
const TCP_SAVE_SYN = 27
const TCP_SAVED_SYN = 28

/** Two headers with every option they can carry take 120 bytes; the rest is for IPv6 extension headers. */
const SYN_BYTES_MAX = 512

/** Places in `struct tcp_info`, counted in 32-bit words of the machine's own byte order. */
const SND_MSS = 4
const RTT_US = 17
const MIN_RTT_US = 37
const TCP_INFO_WORDS = MIN_RTT_US + 1
const NEVER_MEASURED = 0xffff_ffff

/** Opens the kernel's socket options. Never throws: where they are out of reach, nothing is observed. */
export function openKernel(): Kernel {
  if (process.platform !== 'linux')
    return closedKernel(`not on ${process.platform}: the kernel must be Linux`)
  try {
    return kernelOn(loadSocketOptions())
  } catch (error) {
    const [said] = String(error instanceof Error ? error.message : error).split('\n', 1)
    return closedKernel(`koffi does not load: ${said}`)
  }
}

const closedKernel = (reason: string): Kernel => ({
  available: false,
  reason,
  saveSyns: () => false,
  savedSyn: () => undefined,
  tcpInfo: () => undefined,
})

function kernelOn(options: SocketOptions): Kernel {
  const on = Uint32Array.of(1)
  // Shared by all calls, which are synchronous: what leaves is copied out.
  const length = new Uint32Array(1)
  const syn = new Uint8Array(SYN_BYTES_MAX)
  const info = new Uint32Array(TCP_INFO_WORDS)

  /** How many bytes the kernel wrote; 0 when it refused. */
  function read(fd: number, name: number, into: ArrayBufferView): number {
    length[0] = into.byteLength
    return options.get(fd, IPPROTO_TCP, name, into, length) === 0 ? (length[0] ?? 0) : 0
  }

  return {
    available: true,
    reason: undefined,
    saveSyns: (listenFd) => options.set(listenFd, IPPROTO_TCP, TCP_SAVE_SYN, on, on.byteLength) === 0,
    savedSyn(fd) {
      const bytes = read(fd, TCP_SAVED_SYN, syn)
      return bytes > 0 ? syn.slice(0, bytes) : undefined
    },
    tcpInfo(fd) {
      // Kernels before 4.6 have a shorter structure, without the smallest round trip.
      if (read(fd, TCP_INFO, info) < info.byteLength) return undefined
      const [sndMss, rttUs, minRttUs] = [info[SND_MSS], info[RTT_US], info[MIN_RTT_US]]
      if (sndMss === undefined || rttUs === undefined || minRttUs === undefined) return undefined
      if (minRttUs === NEVER_MEASURED) return undefined
      return { minRttMs: minRttUs / 1_000, rttMs: rttUs / 1_000, sndMss }
    },
  }
}

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
