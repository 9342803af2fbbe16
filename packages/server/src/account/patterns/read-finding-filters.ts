import type { PatternFilters } from '@inkling/contract/account'
import type { FindingCriteria } from '../../store/findings/findings.ts'

export const readFindingFilters = (filters: PatternFilters): FindingCriteria => ({
  pattern: filters.pattern,
  grade: filters.grade,
  open: filters.state === 'all' ? undefined : filters.state === 'open',
  entityType: filters.entity_type,
  // Accounts are told apart by case, IDs are not.
  entityValue:
    filters.entity_type === 'device_id' || filters.entity_type === 'visitor_id'
      ? filters.entity_value?.toLowerCase()
      : filters.entity_value,
})
