import type { ParsedAddress } from './parse-address.ts'

/** Whether the address is of this machine alone. What comes from there says nothing of any path. */
export const isLoopback = (address: ParsedAddress): boolean =>
  address.family === 4
    ? address.value >>> 24 === 127
    : address.words.every((word, index) => word === (index === 3 ? 1 : 0))
