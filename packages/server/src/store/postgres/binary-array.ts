import type { ClientBase } from 'pg'
import type { ColumnType } from '../columns.ts'
import { escapeZeroBytes } from './zero-bytes.ts'

/** How the elements of an array are sent. */
interface Element {
  /** In PostgreSQL's catalogue. */
  oid: number
  array: string
  /** What is written; without it the value itself. */
  prepare?(value: unknown): unknown
  bytes(prepared: unknown): number
  write(array: Buffer, prepared: unknown, offset: number): void
}

const ELEMENTS: Record<string, Element> = {
  integer: {
    oid: 20,
    array: 'bigint[]',
    prepare: integerOf,
    bytes: () => 8,
    write(array, number, offset) {
      const high = Math.floor((number as number) / WORD)
      array.writeInt32BE(high, offset)
      array.writeUInt32BE((number as number) - high * WORD, offset + 4)
    },
  },
  text: {
    oid: 25,
    array: 'text[]',
    prepare: (value) => escapeZeroBytes(String(value)),
    bytes: (text) => Buffer.byteLength(text as string),
    write: (array, text, offset) => array.write(text as string, offset),
  },
  bytes: {
    oid: 17,
    array: 'bytea[]',
    bytes: (bytes) => (bytes as Uint8Array).length,
    write: (array, bytes, offset) => array.set(bytes as Uint8Array, offset),
  },
  boolean: {
    oid: 16,
    array: 'boolean[]',
    bytes: () => 1,
    write: (array, value, offset) => array.writeUInt8(value ? 1 : 0, offset),
  },
  real: {
    oid: 701,
    array: 'double precision[]',
    prepare: Number,
    bytes: () => 8,
    write: (array, number, offset) => array.writeDoubleBE(number as number, offset),
  },
}

const WORD = 2 ** 32

function integerOf(value: unknown): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new TypeError(`not an integer: ${value}`)
  return number
}

function elementOf(type: ColumnType): Element {
  const element = ELEMENTS[type.replace(' or null', '')]
  if (!element) throw new TypeError(`no such type: ${type}`)
  return element
}

/** The array type of a column in SQL. */
export const arrayType = (type: ColumnType): string => elementOf(type).array

const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const NULL = -1

/**
 * Values of a column as PostgreSQL's `array_recv` reads them
 * (https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/adt/arrayfuncs.c): number of dimensions,
 * whether there are nulls, type, size, lower bound; then each element after its length. In text each byte would be two
 * digits, and both sides would read every character.
 * @throws TypeError where a column of integers gets something else
 */
export function binaryArray(type: ColumnType, values: readonly unknown[]): Buffer {
  const { oid, prepare = (value: unknown) => value, bytes, write } = elementOf(type)
  const elements = values.map((value) => (value == null ? null : prepare(value)))
  const lengths = elements.map((element) => (element === null ? NULL : bytes(element)))
  const array = Buffer.allocUnsafe(
    lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(0, length), HEAD_BYTES),
  )
  const head = [1, elements.includes(null) ? 1 : 0, oid, elements.length, 1]
  let offset = head.reduce((at, word) => array.writeInt32BE(word, at), 0)
  elements.forEach((element, index) => {
    const length = lengths[index] ?? NULL
    offset = array.writeInt32BE(length, offset)
    if (length === NULL) return
    write(array, element, offset)
    offset += length
  })
  return array
}

const FAIL = "do $$ begin raise exception 'a value could not be sent' end $$"

/**
 * The values of a statement. Those that cannot be sent fail the transaction at the server, too, because the statements
 * behind them and the commit may be sent before anyone hears of it.
 * @throws TypeError like `binaryArray`
 */
export function binaryArrays(
  client: ClientBase,
  types: readonly ColumnType[],
  arrays: readonly (readonly unknown[])[],
): Buffer[] {
  try {
    return types.map((type, index) => binaryArray(type, arrays[index] ?? []))
  } catch (error) {
    client.query(FAIL).catch(() => {})
    throw error
  }
}
