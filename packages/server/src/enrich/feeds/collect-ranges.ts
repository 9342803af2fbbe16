import { wordsOf } from '../../lib/address.ts'
import { type Cidr, prefixMask } from '../../lib/cidr.ts'
import { compareRow } from '../ip/sorted-rows.ts'
import type { AddressRanges, Ranges } from './address-ranges.ts'

export interface RangeCollector {
  add(cidr: Cidr, country?: string): void
  /** All ranges, sorted and merged. Of nested ranges the widest one's country counts. */
  finish(): AddressRanges
}

export function collectRanges(): RangeCollector {
  const countries = ['']
  const indexOfCountry = new Map([['', 0]])
  const ipv4 = collectFamily(1)
  const ipv6 = collectFamily(4)

  const countryIndex = (code: string): number => {
    const known = indexOfCountry.get(code)
    if (known !== undefined) return known
    indexOfCountry.set(code, countries.length)
    return countries.push(code) - 1
  }

  return {
    add({ first, bits }, country = '') {
      const family = first.family === 4 ? ipv4 : ipv6
      family.add(wordsOf(first), bits, countryIndex(country))
    },
    finish() {
      const isStated = countries.length > 1
      return { ipv4: ipv4.finish(isStated), ipv6: ipv6.finish(isStated), countries }
    },
  }
}

/** Collects the ranges of one family. `width` is the number of words in an address. */
function collectFamily(width: number) {
  const columns = Array.from({ length: width }, () => growingColumn())
  const lengths = growingColumn()
  const countries = growingColumn()

  return {
    add(words: readonly number[], bits: number, country: number): void {
      columns.forEach((column, word) => {
        column.push(words[word] ?? 0)
      })
      lengths.push(bits)
      countries.push(country)
    },
    finish: (keepCountries: boolean): Ranges =>
      merge(
        columns.map((column) => column.values()),
        lengths.values(),
        countries.values(),
        keepCountries,
      ),
  }
}

function growingColumn() {
  let values = new Uint32Array(1_024)
  let length = 0
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Uint32Array(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    values: () => values.subarray(0, length),
  }
}

/** Two prefixes are either nested or disjoint, so it is enough to compare each with the previous one. */
function merge(
  columns: readonly Uint32Array[],
  lengths: Uint32Array,
  rowCountries: Uint32Array,
  keepCountries: boolean,
): Ranges {
  const width = columns.length
  const starts = new Uint32Array(lengths.length * width)
  const ends = new Uint32Array(lengths.length * width)
  const countries = new Uint16Array(keepCountries ? lengths.length : 0)
  let last = -1
  for (const row of sortedOrder([...columns, lengths], lengths.length)) {
    const start = columns.map((column) => column[row] ?? 0)
    if (last >= 0 && compareRow(ends, last, start) >= 0) continue
    const country = rowCountries[row] ?? 0
    const joins = last >= 0 && (countries[last] ?? country) === country && endsBefore(ends, last, start)
    if (!joins) {
      last++
      starts.set(start, last * width)
      if (keepCountries) countries[last] = country
    }
    const bits = lengths[row] ?? 0
    for (let word = 0; word < width; word++)
      ends[last * width + word] = ((start[word] ?? 0) | ~prefixMask(bits, word)) >>> 0
  }
  const rows = last + 1
  return {
    starts: starts.slice(0, rows * width),
    ends: ends.slice(0, rows * width),
    countries: countries.slice(0, rows),
  }
}

/** Whether the words are the address after the row's last one. */
function endsBefore(addresses: Uint32Array, row: number, words: readonly number[]): boolean {
  let carry = 1
  for (let word = words.length - 1; word >= 0; word--) {
    const value = addresses[row * words.length + word] ?? 0
    if (words[word] !== (value + carry) >>> 0) return false
    carry = carry === 1 && value === 0xffff_ffff ? 1 : 0
  }
  return carry === 0
}

const DIGITS = 0x1_0000

/**
 * Rows sorted by their columns, the first column being the most significant; stable. A radix sort, because sorting a
 * million IPv6 addresses by comparison takes seconds.
 */
function sortedOrder(columns: readonly Uint32Array[], rows: number): Uint32Array {
  let order = Uint32Array.from({ length: rows }, (_, row) => row)
  let other = new Uint32Array(rows)
  for (const column of columns.toReversed())
    for (const shift of [0, 16]) if (sortByDigit(column, shift, order, other)) [order, other] = [other, order]
  return order
}

/** Sorts the rows by 16 bits of a column into `target`; returns false, without sorting, if all are equal. */
function sortByDigit(column: Uint32Array, shift: number, source: Uint32Array, target: Uint32Array): boolean {
  const places = new Uint32Array(DIGITS + 1)
  const digitOf = (row: number) => ((column[row] ?? 0) >>> shift) & 0xffff
  for (const row of source) {
    const next = digitOf(row) + 1
    places[next] = (places[next] ?? 0) + 1
  }
  if (places.includes(source.length)) return false
  for (let digit = 1; digit <= DIGITS; digit++)
    places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0)
  for (const row of source) {
    const digit = digitOf(row)
    const place = places[digit] ?? 0
    places[digit] = place + 1
    target[place] = row
  }
  return true
}
