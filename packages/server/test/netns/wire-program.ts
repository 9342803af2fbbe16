import { openSync, read, writeSync } from 'node:fs'
import koffi from 'koffi'

/**
 * Forwards packets between two new TUN devices. Arguments: NAME NAME ONE_WAY_MS BLOCKED_PORT. Prints `ready` once the
 * devices exist.
 */

/** `<linux/if_tun.h>`: IP packets without a device header. */
const TUNSETIFF = 0x400454ca
const IFF_TUN_NO_PI = 0x1001
const IFREQ_BYTES = 40
const IFREQ_FLAGS_AT = 16
const PACKET_BYTES_MAX = 65_536

const [ownName = '', otherName = '', oneWayMs = '', blockedPort = ''] = process.argv.slice(2)

const ioctl = koffi.load(null).func('int ioctl(int, unsigned long, void *)')

function openDevice(name: string): number {
  const fd = openSync('/dev/net/tun', 'r+')
  const request = Buffer.alloc(IFREQ_BYTES)
  request.write(name)
  request.writeUInt16LE(IFF_TUN_NO_PI, IFREQ_FLAGS_AT)
  if (ioctl(fd, TUNSETIFF, request) !== 0) throw new Error(`no device ${name}`)
  return fd
}

/** Blocks one thread of the pool. Packets with the same delay stay in order. */
function carry(from: number, to: number): void {
  read(from, Buffer.alloc(PACKET_BYTES_MAX), 0, PACKET_BYTES_MAX, null, (error, bytes, buffer) => {
    if (error) throw error
    const packet = buffer.subarray(0, bytes)
    if (!isBlocked(packet)) setTimeout(() => deliver(to, packet), Number(oneWayMs))
    carry(from, to)
  })
}

/** TCP and UDP have the destination port at the same offset. */
function isBlocked(packet: Buffer): boolean {
  const isIpv4 = packet.readUInt8(0) >> 4 === 4
  const ports = (packet.readUInt8(0) & 15) * 4
  return isIpv4 && packet.length >= ports + 4 && packet.readUInt16BE(ports + 2) === Number(blockedPort)
}

function deliver(to: number, packet: Uint8Array): void {
  try {
    writeSync(to, packet)
  } catch {
    // The other end is not up yet, so the packet is lost.
  }
}

const one = openDevice(ownName)
const other = openDevice(otherName)
carry(one, other)
carry(other, one)
process.send?.('ready')
