import type { ClientBase, Pool } from 'pg'

type Load<Value> = (
  client: ClientBase,
  domainId: number,
  numbers: readonly number[],
) => Promise<ReadonlyMap<number, Value>>

/** Numbers of one look-up: its first caller must not wait for thousands of others. */
const NUMBERS_MAX = 500

interface Company<Value> {
  numbers: Set<number>
  answer: Promise<ReadonlyMap<number, Value>>
}

/**
 * Gathers look-ups of a domain that wait for a connection into one: to send a statement and to take its answer costs
 * more than most of what it finds.
 * @returns the values that there are, in the order of the numbers
 */
export function inCompany<Value>(pool: Pool, load: Load<Value>) {
  /** Whoever comes next may still join these. */
  const waiting = new Map<number, Company<Value>>()

  async function answered(
    domainId: number,
    numbers: ReadonlySet<number>,
  ): Promise<ReadonlyMap<number, Value>> {
    const client = await pool.connect().finally(() => {
      if (waiting.get(domainId)?.numbers === numbers) waiting.delete(domainId)
    })
    try {
      const found = await load(client, domainId, [...numbers])
      client.release()
      return found
    } catch (error) {
      // It may be what is broken: the next one gets another.
      client.release(true)
      throw error
    }
  }

  function companyOf(domainId: number): Company<Value> {
    const known = waiting.get(domainId)
    if (known && known.numbers.size < NUMBERS_MAX) return known
    const numbers = new Set<number>()
    const company = { numbers, answer: answered(domainId, numbers) }
    waiting.set(domainId, company)
    return company
  }

  return async (domainId: number, numbers: readonly number[]): Promise<Value[]> => {
    if (numbers.length === 0) return []
    const company = companyOf(domainId)
    for (const number of numbers) company.numbers.add(number)
    const found = await company.answer
    return [...new Set(numbers)].flatMap((number) => {
      const value = found.get(number)
      return value === undefined ? [] : [value]
    })
  }
}
