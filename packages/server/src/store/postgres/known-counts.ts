import type { CountedSubject } from '../velocity/velocity-batch.ts'
import { type WrittenCounts, writtenCounts } from '../velocity/written-counts.ts'

/**
 * The counts that this node stored last, so that the next commit need not read them. They hold while no other transaction
 * wrote the row of their domain, which every commit does.
 */
export interface KnownCounts extends Pick<WrittenCounts, 'get' | 'take'> {
  /** Whether other nodes stored visits of the domain of late: nothing of it is known then. */
  isShared(domainId: number): boolean
  /** Call it before counting. Forgets the counts unless they hold. */
  begin(domainId: number, { version, next }: DomainVersion): void
  /** Call it before the commit: if that fails, the counts do not hold. */
  add(name: string, one: CountedSubject): void
}

/** IDs of the transactions that wrote the row and that is about to. */
export interface DomainVersion {
  version: string
  next: string
}

/** Commits in a row without another node's between them, before counts are taken from memory again. */
const ALONE_AFTER = 20

export function knownCounts(): KnownCounts {
  const written = writtenCounts()
  const domains = new Map<number, { version: string; readsLeft: number }>()
  const isShared = (domainId: number): boolean => (domains.get(domainId)?.readsLeft ?? 0) > 0

  return {
    ...written,
    isShared,
    begin(domainId, { version, next }) {
      const { version: own = version, readsLeft = 0 } = domains.get(domainId) ?? {}
      const isAlone = own === version
      if (!isAlone && readsLeft === 0) written.clear()

      domains.set(domainId, {
        version: next,
        readsLeft: isAlone ? Math.max(0, readsLeft - 1) : ALONE_AFTER,
      })
    },
    add(name, one) {
      if (!isShared(one.domainId)) written.add(name, one)
    },
  }
}
