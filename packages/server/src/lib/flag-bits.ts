import { DETECTION_FLAGS, type DetectionFlags } from '@inkling/contract'

/** One bit per flag, lowest first, in the order of the contract's list; new flags go to its end. */
export const flagsToBits = (flags: DetectionFlags): number =>
  DETECTION_FLAGS.reduce((bits, { flag }, index) => (flags[flag] ? bits | (1 << index) : bits), 0)

export const bitsToFlags = (bits: number): DetectionFlags =>
  Object.fromEntries(
    DETECTION_FLAGS.map(({ flag }, index) => [flag, (bits & (1 << index)) !== 0]),
  ) as DetectionFlags
