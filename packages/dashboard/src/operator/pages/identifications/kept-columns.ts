import { useLocalStorage } from '@mantine/hooks'
import { useTableSearch } from './table-search.ts'

interface ShownColumns {
  /** Names of the columns, separated by commas; undefined for the default ones. */
  columns: string | undefined
  /** Chooses others for this browser; resolves when the address has them. */
  choose(columns: string | undefined): Promise<void>
}

/** The columns of the address, or else those that were chosen last in this browser. */
export function useColumns(): ShownColumns {
  const { search, commit } = useTableSearch()
  const [kept, keep, forget] = useLocalStorage<string | undefined>({
    key: 'inkling-columns',
    getInitialValueInEffect: false,
  })
  return {
    columns: search.columns ?? (typeof kept === 'string' ? kept : undefined),
    choose(columns) {
      if (columns === undefined) forget()
      else keep(columns)
      return commit({ columns })
    },
  }
}
