import { NO_IPV4 } from '@inkling/contract'

const DOTTED = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Unsigned 32-bit number of a dotted IPv4 address; undefined for anything else, IPv6 included. */
export function ipv4ToNumber(text: string): number | undefined {
  const parts = DOTTED.exec(text)?.slice(1).map(Number)
  if (!parts || parts.some((part) => part > 255)) return undefined
  return parts.reduce((total, part) => total * 256 + part, 0)
}

export const ipv4ToText = (address: number | null): string =>
  address === null
    ? NO_IPV4
    : `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`
