import type { DatabaseSync } from 'node:sqlite'

interface Counted {
  domainId: number
  family: number
  /** Undefined for a key that counts for no spread. */
  kind: number | undefined
}

/** Counts how many keys of a kind are one device's alone or shared by just two; written once for a slice. */
export function createGrowSpreads(db: DatabaseSync) {
  const spread = db.prepare(
    `insert into key_spreads (domain_id, family, kind, once, twice) values (?, ?, ?, ?, ?)
     on conflict do update set once = once + excluded.once, twice = twice + excluded.twice`,
  )
  const grown = new Map<string, { place: [number, number, number]; once: number; twice: number }>()

  return {
    /** @param devices that have the key now, the added one included */
    count({ domainId, family, kind }: Counted, devices: number): void {
      if (kind === undefined || devices > 3) return
      const name = `${domainId} ${family} ${kind}`
      const growth = grown.get(name) ?? { place: [domainId, family, kind], once: 0, twice: 0 }
      grown.set(name, growth)
      if (devices === 1) growth.once += 1
      if (devices === 2) growth.once -= 1
      if (devices === 2) growth.twice += 1
      if (devices === 3) growth.twice -= 1
    },
    write(): void {
      for (const { place, once, twice } of grown.values()) spread.run(...place, once, twice)
      grown.clear()
    },
    /** After a transaction that was rolled back. */
    forget: () => grown.clear(),
  }
}
