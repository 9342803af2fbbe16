import type { GroupCommit } from '../group-commit.ts'
import type { WriteOperation } from '../store.ts'

/**
 * Commits the operations of each domain by themselves: where domains lie on different machines, a commit then changes
 * one of them only and locks rows there, which a commit of several could not.
 */
export function commitByDomain(createGroup: () => GroupCommit<WriteOperation>): GroupCommit<WriteOperation> {
  const groups = new Map<number, GroupCommit<WriteOperation>>()
  return {
    commit(operation) {
      const domainId = domainOf(operation)
      const group = groups.get(domainId) ?? createGroup()
      groups.set(domainId, group)
      return group.commit(operation)
    },
    idle: async () => void (await Promise.all([...groups.values()].map((group) => group.idle()))),
  }
}

function domainOf(operation: WriteOperation): number {
  if (operation.type === 'listing') throw new Error('with PostgreSQL a job lists keys')
  return operation.type === 'delivery' ? operation.log.domain_id : operation.row.domain_id
}
