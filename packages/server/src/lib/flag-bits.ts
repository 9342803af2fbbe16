import { DETECTION_FLAGS, type DetectionFlag, type DetectionFlags } from '@inkling/contract'

const BITS = Object.fromEntries(DETECTION_FLAGS.map(({ flag }, index) => [flag, 1 << index])) as Record<
  DetectionFlag,
  number
>

/** The bit of a flag in the store: its position in the contract's list, lowest first. */
export const flagBit = (flag: DetectionFlag): number => BITS[flag]

export const flagsToBits = (flags: DetectionFlags): number =>
  DETECTION_FLAGS.reduce((bits, { flag }) => (flags[flag] ? bits | BITS[flag] : bits), 0)

export const bitsToFlags = (bits: number): DetectionFlags =>
  Object.fromEntries(DETECTION_FLAGS.map(({ flag }) => [flag, (bits & BITS[flag]) !== 0])) as DetectionFlags
