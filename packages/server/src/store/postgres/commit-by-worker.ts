import type { GroupCommit } from '../group-commit.ts'
import type { WriteOperation } from '../store.ts'
import { nameOfWorker, type Shards } from './domain-shards.ts'

/** Commits the operations of each worker by themselves, so that a commit changes one worker only. */
export function commitByWorker(
  shards: Shards,
  createGroup: () => GroupCommit<WriteOperation>,
): GroupCommit<WriteOperation> {
  const groups = new Map<string, GroupCommit<WriteOperation>>()
  /** Operations that have no group yet, because their worker is being asked for. */
  const waiting = new Set<Promise<unknown>>()

  async function groupOf(operation: WriteOperation): Promise<GroupCommit<WriteOperation>> {
    const { worker } = await shards.of(domainOf(operation))
    const name = nameOfWorker(worker)
    const group = groups.get(name) ?? createGroup()
    groups.set(name, group)
    return group
  }

  return {
    async commit(operation) {
      const joined = groupOf(operation).then((group) => ({ outcome: group.commit(operation) }))
      waiting.add(joined)
      const { outcome } = await joined.finally(() => waiting.delete(joined))
      return outcome
    },
    async idle() {
      await Promise.allSettled(waiting)
      await Promise.all([...groups.values()].map((group) => group.idle()))
    },
  }
}

export function domainOf(operation: WriteOperation): number {
  if (operation.type === 'listing') throw new Error('with PostgreSQL a job lists keys')
  return operation.type === 'delivery' ? operation.log.domain_id : operation.row.domain_id
}
