type Load<Value> = (domainId: number, numbers: readonly number[]) => Promise<ReadonlyMap<number, Value>>

/** Further ones of a domain wait for one of these to come back, and then go together. */
const UNDER_WAY_MAX = 2
/** Numbers of one look-up: its first caller must not wait for thousands of others. */
const NUMBERS_MAX = 500

interface Company<Value> {
  numbers: Set<number>
  answer: PromiseWithResolvers<ReadonlyMap<number, Value>>
}

/**
 * Gathers look-ups that are made while others are under way into one: to send a statement and to take its answer
 * costs more than most of what it finds.
 * @returns the values that there are, in the order of the numbers
 */
export function inCompany<Value>(load: Load<Value>) {
  const underWay = new Map<number, number>()
  const waiting = new Map<number, Company<Value>[]>()

  function join(domainId: number, numbers: readonly number[]): Company<Value> {
    const companies = waiting.get(domainId) ?? []
    waiting.set(domainId, companies)
    let company = companies.at(-1)
    if (!company || company.numbers.size >= NUMBERS_MAX) {
      company = { numbers: new Set(), answer: Promise.withResolvers() }
      companies.push(company)
    }
    for (const number of numbers) company.numbers.add(number)
    return company
  }

  async function leave(domainId: number): Promise<void> {
    const others = underWay.get(domainId) ?? 0
    if (others >= UNDER_WAY_MAX) return
    const companies = waiting.get(domainId)
    const company = companies?.shift()
    if (companies?.length === 0) waiting.delete(domainId)
    if (!company) return
    underWay.set(domainId, others + 1)
    try {
      company.answer.resolve(await load(domainId, [...company.numbers]))
    } catch (error) {
      company.answer.reject(error)
    }
    const left = (underWay.get(domainId) ?? 1) - 1
    if (left === 0) underWay.delete(domainId)
    else underWay.set(domainId, left)
    void leave(domainId)
  }

  return async (domainId: number, numbers: readonly number[]): Promise<Value[]> => {
    if (numbers.length === 0) return []
    const company = join(domainId, numbers)
    void leave(domainId)
    const found = await company.answer.promise
    return [...new Set(numbers)].flatMap((number) => {
      const value = found.get(number)
      return value === undefined ? [] : [value]
    })
  }
}
