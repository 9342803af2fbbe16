import type { AddressRanges, Ranges } from './address-ranges.ts'

/** A change within one period of a feed. Beyond it something is more likely broken than new. */
const SHARE_MAX = 0.3
/** Addresses that may change in any list: a share of a short one is a handful. */
const CHANGED_MIN = 256

/**
 * How a list differs too much from the last good one to be believed; undefined when it does not. The more
 * periods have passed since, the more may have changed. Counts addresses, not rows, so that merging or splitting
 * ranges changes nothing; in IPv6 it counts /48s, the usual size of a site.
 */
export function churnFault(last: AddressRanges, next: AddressRanges, periods: number): string | undefined {
  const families = [
    ['IPv4', ipv4Spans(last.ipv4), ipv4Spans(next.ipv4)],
    ['IPv6', ipv6Spans(last.ipv6), ipv6Spans(next.ipv6)],
  ] as const
  for (const [family, before, after] of families) {
    const known = total(before)
    const changed = known + total(after) - 2 * total(intersect(before, after))
    const changedMax = Math.max(CHANGED_MIN, known * SHARE_MAX * Math.max(1, periods))
    if (known > 0 && changed > changedMax)
      return `${Math.round((100 * changed) / known)} % of its ${family} addresses changed`
  }
  return undefined
}

/** From the first number to before the second. */
type Span = [from: number, to: number]

const total = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0)

function ipv4Spans({ starts, ends }: Ranges): Span[] {
  return Array.from(starts, (start, row) => [start, (ends[row] ?? start) + 1])
}

function ipv6Spans({ starts, ends }: Ranges): Span[] {
  const siteAt = (words: Uint32Array, row: number) =>
    (words[row * 4] ?? 0) * 0x1_0000 + ((words[row * 4 + 1] ?? 0) >>> 16)
  const spans: Span[] = []
  for (let row = 0; row < starts.length / 4; row++) {
    const from = Math.max(siteAt(starts, row), spans.at(-1)?.[1] ?? 0)
    const to = siteAt(ends, row) + 1
    if (from < to) spans.push([from, to])
  }
  return spans
}

function intersect(left: readonly Span[], right: readonly Span[]): Span[] {
  const common: Span[] = []
  let leftRow = 0
  let rightRow = 0
  while (leftRow < left.length && rightRow < right.length) {
    const [leftFrom, leftTo] = left[leftRow] as Span
    const [rightFrom, rightTo] = right[rightRow] as Span
    const from = Math.max(leftFrom, rightFrom)
    const to = Math.min(leftTo, rightTo)
    if (from < to) common.push([from, to])
    if (leftTo < rightTo) leftRow++
    else rightRow++
  }
  return common
}
