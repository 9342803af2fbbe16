import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed } from './failed.tsx'
import { Waiting } from './waiting.tsx'

interface AnsweredProps<Data> {
  query: UseQueryResult<Data, Error>
  children: (data: Data) => ReactNode
}

/** What an answer shows, or that it is on its way, or why there is none. */
export function Answered<Data>({ query, children }: AnsweredProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  return <Waiting />
}
