/*
 * How much disk a domain's identifications take. To count pages or files by domain, an engine would have to read all of
 * them, so each row keeps an estimate of what was written with it: its texts, its snapshot and its events as they are,
 * and a fixed size for everything else. `domains.stored_bytes` is their sum, which every commit and removal keeps.
 */

/** Fixed columns and the entries in every index. The test compares the sum with what the engine takes. */
const ROW_BYTES = 1_600
/** A new device, of which most are the keys that it is found by. */
const DEVICE_BYTES = 5_000
/** Fixed columns of an earlier version. */
const VERSION_BYTES = 100
/** Stands for rows of releases that kept no estimate. */
export const UNMEASURED_BYTES = 7_000

export type StoredValue = string | number | bigint | boolean | null | undefined | Uint8Array

/**
 * What an identification takes when it is stored.
 * @param values of its row, its events and its snapshot
 * @param device undefined without one; only a new one has no number
 */
export function newBytes(
  values: readonly StoredValue[],
  device: { number: number | undefined } | undefined,
): number {
  let bytes = ROW_BYTES
  if (device && device.number === undefined) bytes += DEVICE_BYTES
  for (const value of values) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (value instanceof Uint8Array) bytes += value.length
  }
  return bytes
}

/** What an identification takes after a refinement, which keeps the earlier version and may change the snapshot. */
export const refinedBytes = (
  earlier: { bytes: number; snapshot: number },
  later: { verdict: string; snapshot: number | undefined },
): number =>
  earlier.bytes +
  VERSION_BYTES +
  Buffer.byteLength(later.verdict) +
  (later.snapshot === undefined ? 0 : later.snapshot - earlier.snapshot)

/** How many bytes a transaction adds to each domain. */
export type Grown = Map<number, number>

export const addBytes = (grown: Grown, domainId: number, bytes: number): unknown =>
  grown.set(domainId, (grown.get(domainId) ?? 0) + bytes)
