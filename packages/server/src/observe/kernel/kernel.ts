import { createRequire } from 'node:module'

/** What the kernel measures of one connection. */
export interface TcpInfo {
  /** The minimum so far. Unlike the smoothed value, it is not affected by delayed acknowledgments. */
  minRttMs: number
  /** Smoothed. */
  rttMs: number
  /** Bytes of data it puts into one segment: at most the smaller MSS less the timestamps. */
  sndMss: number
}

/**
 * What Linux knows of TCP connections: https://man7.org/linux/man-pages/man7/tcp.7.html
 * File descriptors are reused, so get one with `descriptorOf` and use it in the same turn.
 */
export interface Kernel {
  available: boolean
  /** Why it is not available, for the operator. */
  reason: string | undefined
  /** Makes the kernel save the SYN of each connection that this listener accepts from now on. */
  saveSyns(listenFd: number): boolean
  /** IP and TCP headers of the SYN; the kernel returns them once. Undefined if it saved none, as under SYN cookies. */
  savedSyn(fd: number): Uint8Array | undefined
  /** Undefined until a round trip was measured: a repeated handshake gives none. */
  tcpInfo(fd: number): TcpInfo | undefined
}

/**
 * The same on every architecture:
 * https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/tree/include/uapi/linux/tcp.h
 */
const IPPROTO_TCP = 6
const TCP_INFO = 11
const TCP_SAVE_SYN = 27
const TCP_SAVED_SYN = 28

/** IPv4 and TCP headers with all options take 120 bytes; the rest is for IPv6 extension headers. */
const SYN_BYTES_MAX = 512

/** Offsets in `struct tcp_info`, in 32-bit words of the machine's byte order. */
const SND_MSS = 4
const RTT_US = 17
const MIN_RTT_US = 37
const TCP_INFO_WORDS = MIN_RTT_US + 1
const NEVER_MEASURED = 0xffff_ffff

/** Opens the kernel's socket options. Never throws; without them nothing is observed. */
export function openKernel(): Kernel {
  if (process.platform !== 'linux')
    return unavailableKernel(`not on ${process.platform}: the kernel must be Linux`)
  try {
    return kernelOn(loadSocketOptions())
  } catch (error) {
    const [message] = String(error instanceof Error ? error.message : error).split('\n', 1)
    return unavailableKernel(`koffi does not load: ${message}`)
  }
}

const unavailableKernel = (reason: string): Kernel => ({
  available: false,
  reason,
  saveSyns: () => false,
  savedSyn: () => undefined,
  tcpInfo: () => undefined,
})

function kernelOn(options: SocketOptions): Kernel {
  const on = Uint32Array.of(1)
  // Buffers shared by all calls, which are synchronous; results are copied.
  const length = new Uint32Array(1)
  const syn = new Uint8Array(SYN_BYTES_MAX)
  const info = new Uint32Array(TCP_INFO_WORDS)

  /** Returns how many bytes the kernel wrote; 0 if it failed. */
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
      // Kernels before 4.6 have a shorter structure without the minimum round trip.
      if (read(fd, TCP_INFO, info) < info.byteLength) return undefined
      const [sndMss, rttUs, minRttUs] = [info[SND_MSS], info[RTT_US], info[MIN_RTT_US]]
      if (sndMss === undefined || rttUs === undefined || minRttUs === undefined) return undefined
      if (minRttUs === NEVER_MEASURED) return undefined
      return { minRttMs: minRttUs / 1_000, rttMs: rttUs / 1_000, sndMss }
    },
  }
}

/** Two functions of the C library on raw file descriptors. They return zero on success. */
interface SocketOptions {
  /** `length` holds the size of the buffer, and afterwards how much of it was filled. */
  get(fd: number, level: number, name: number, into: ArrayBufferView, length: Uint32Array): number
  set(fd: number, level: number, name: number, value: ArrayBufferView, lengthBytes: number): number
}

/** @throws when koffi is not installed or has no binary for this machine */
function loadSocketOptions(): SocketOptions {
  // An optional dependency: a static import would stop the server where it is missing.
  const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi')
  const library = koffi.load(null)
  return {
    get: library.func('int getsockopt(int, int, int, void *, void *)'),
    set: library.func('int setsockopt(int, int, int, const void *, uint32_t)'),
  }
}
