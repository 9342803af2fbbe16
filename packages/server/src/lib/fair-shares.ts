/**
 * How much of one resource, such as memory, its holders use. Each belongs to a group, mostly an address. When the
 * resource runs out, the group that uses most gives way: whoever uses little keeps what he has.
 */
export interface FairShares<Holder> {
  /** Notes how much a holder uses now. A change of the group moves it, and 0 removes it. */
  set(holder: Holder, group: string, amount: number): void
  remove(holder: Holder): void
  /** In the order of their arrival. */
  holdersOf(group: string): Iterable<Holder>
  amountOf(group: string): number
  total(): number
  /** A group that uses at least half as much as any other; undefined without holders. */
  greediestGroup(): string | undefined
  /** The holder that uses most in that group. */
  greediest(): Holder | undefined
}

interface Group<Holder> {
  name: string
  amounts: Map<Holder, number>
  total: number
}

export function createFairShares<Holder>(): FairShares<Holder> {
  const groups = new Map<string, Group<Holder>>()
  const groupOf = new Map<Holder, Group<Holder>>()
  /** Groups by the binary logarithm of what they use, so that an attack from many addresses costs no search. */
  const ranks: Set<Group<Holder>>[] = Array.from({ length: 54 }, () => new Set())
  let total = 0

  function add(group: Group<Holder>, holder: Holder, amount: number): void {
    const before = group.amounts.get(holder) ?? 0
    if (amount === before) return
    ranks[rankOf(group.total)]?.delete(group)
    group.total += amount - before
    total += amount - before
    if (amount > 0) {
      group.amounts.set(holder, amount)
      groupOf.set(holder, group)
    } else {
      group.amounts.delete(holder)
      groupOf.delete(holder)
    }
    if (group.amounts.size === 0) groups.delete(group.name)
    else ranks[rankOf(group.total)]?.add(group)
  }

  function groupNamed(name: string): Group<Holder> {
    const known = groups.get(name)
    if (known) return known
    const group: Group<Holder> = { name, amounts: new Map(), total: 0 }
    groups.set(name, group)
    return group
  }

  function greediestGroup(): Group<Holder> | undefined {
    for (let rank = ranks.length - 1; rank >= 0; rank -= 1)
      for (const group of ranks[rank] ?? []) return group
    return undefined
  }

  return {
    set(holder, name, amount) {
      const before = groupOf.get(holder)
      if (before && before.name !== name) add(before, holder, 0)
      if (amount > 0) add(groupNamed(name), holder, amount)
      else if (before?.name === name) add(before, holder, 0)
    },
    remove(holder) {
      const group = groupOf.get(holder)
      if (group) add(group, holder, 0)
    },
    holdersOf: (name) => groups.get(name)?.amounts.keys() ?? [],
    amountOf: (name) => groups.get(name)?.total ?? 0,
    total: () => total,
    greediestGroup: () => greediestGroup()?.name,
    greediest() {
      let found: Holder | undefined
      let most = 0
      for (const [holder, amount] of greediestGroup()?.amounts ?? [])
        if (amount > most) {
          found = holder
          most = amount
        }
      return found
    },
  }
}

const rankOf = (amount: number): number => (amount < 1 ? 0 : Math.floor(Math.log2(amount)) + 1)
