import type { ClientBase } from 'pg'
import type { Columns, ColumnType, RowOf } from '../columns.ts'
import { arrayType, binaryArrays } from './binary-array.ts'
import type { DomainShards } from './domain-shards.ts'
import { VALUE_TYPES, WORKER_FUNCTION } from './worker-function.ts'
import { unescapeZeroBytes } from './zero-bytes.ts'

/**
 * Statements that a transaction gathers during one turn of the event loop and has run together by the function of
 * `worker-function.ts`: the journey to the worker costs more than most of them. They run behind all others of the turn.
 */
export interface WorkerTurns {
  /** The shards of a domain of the transaction. */
  shardsOf(domainId: number): DomainShards
  /**
   * @param write builds the statement. `array` adds values and returns the expression for them
   * @returns what it answers, in these columns
   */
  ask<Answered extends Columns>(
    write: (array: (type: ColumnType, values: readonly unknown[]) => string) => string,
    answer: Answered | undefined,
  ): Promise<RowOf<Answered>[]>
}

/** A statement that waits to be sent. */
interface Asked {
  text: string
  answer: Columns | undefined
  result: PromiseWithResolvers<never[]>
}

/** Of domains that lie on one worker. */
export type ShardsByDomain = ReadonlyMap<number, DomainShards>

const turns = new WeakMap<ClientBase, WorkerTurns>()

/** Of a transaction that runs statements on a worker. Undefined where tables are not split. */
export const turnsOf = (client: ClientBase): WorkerTurns | undefined => turns.get(client)

/** Has the statements that `run` runs on the connection gathered, and sends the last ones when it ends. */
export async function withTurns<Result>(
  client: ClientBase,
  shards: ShardsByDomain,
  run: () => Promise<Result>,
): Promise<Result> {
  const { send, ...own } = createTurns(client, shards)
  turns.set(client, own)
  try {
    return await run()
  } finally {
    send()
    turns.delete(client)
  }
}

function createTurns(client: ClientBase, shards: ShardsByDomain): WorkerTurns & { send(): void } {
  const domainIds = [...shards.keys()]
  const shardIds = domainIds.map((domainId) => shards.get(domainId)?.shard)
  const where = binaryArrays(client, ['integer', 'integer'], [domainIds, shardIds])
  let asked: Asked[] = []
  let values = noValues()

  function send(): void {
    if (asked.length === 0) return
    const sent = asked
    const given = values
    asked = []
    values = noValues()
    call(sent, given).then(
      (answers) =>
        sent.forEach(({ answer, result }, index) => {
          result.resolve(decoded(answers[index] ?? [], answer) as never[])
        }),
      (error: unknown) => {
        for (const { result } of sent) result.reject(error)
      },
    )
  }

  /** @returns the rows that each statement answers */
  async function call(sent: readonly Asked[], given: Values): Promise<(JsonRow[] | null)[]> {
    const texts = sent.map(({ text }) => text)
    const answering = sent.map(({ answer }) => answer !== undefined)
    const types = ['text', 'boolean', ...VALUE_TYPES] as const
    const ofTypes = VALUE_TYPES.map((type) => given[type])
    const arrays = binaryArrays(client, types, [texts, answering, ...ofTypes])
    const { rows } = await client.query<{ answers: (JsonRow[] | null)[] }>({
      name: WORKER_FUNCTION,
      text: CALL,
      values: [domainIds[0], ...where, ...arrays],
    })
    return rows[0]?.answers ?? []
  }

  function array(type: ColumnType, given: readonly unknown[]): string {
    const valueType = type.replace(' or null', '') as (typeof VALUE_TYPES)[number]
    const ofType = values[valueType]
    const from = ofType.length
    for (const value of given) ofType.push(value)
    return `($${VALUE_TYPES.indexOf(valueType) + 1}::${arrayType(type)})[${from + 1}:${ofType.length}]`
  }

  return {
    shardsOf(domainId) {
      const found = shards.get(domainId)
      if (!found) throw new Error(`domain ${domainId} is not in this transaction`)
      return found
    },
    ask(write, answer) {
      if (asked.length === 0) process.nextTick(send)
      const result = Promise.withResolvers<never[]>()
      // Whoever asked meets the failure; the others that were sent with it meet theirs.
      result.promise.catch(() => {})
      asked.push({ text: write(array), answer, result })
      return result.promise
    },
    send,
  }
}

type Values = Record<(typeof VALUE_TYPES)[number], unknown[]>
const noValues = (): Values => ({
  integer: [],
  text: [],
  bytes: [],
  boolean: [],
  real: [],
})

const CALL = `select ${WORKER_FUNCTION}(
  $1::bigint, $2::bigint[], $3::bigint[], $4::text[], $5::boolean[],
  ${VALUE_TYPES.map((type, index) => `$${index + 6}::${arrayType(type)}`).join(', ')}) as answers`

type JsonRow = Record<string, unknown>

/** Rows out of JSON, where bytes are hexadecimal digits after `\x`. */
function decoded(rows: JsonRow[], answer: Columns = {}): JsonRow[] {
  for (const [name, type] of Object.entries(answer))
    for (const row of rows) {
      const value = row[name]
      if (typeof value !== 'string') continue
      if (type.startsWith('bytes')) row[name] = new Uint8Array(Buffer.from(value.slice(2), 'hex'))
      else row[name] = unescapeZeroBytes(value)
    }
  return rows
}
