import type { AccountDomain } from '@inkling/contract/account'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiQuery } from '../api/use-api.ts'

/** The domain of the page; on pages without one, the last domain that was shown, or the busiest. */
export function useShownDomain(): string | undefined {
  const { domain } = useParams({ strict: false })
  const { data } = useApiQuery('listDomains', {})
  const exists = data?.some((known) => known.domain === domain)
  const [last, setLast] = useState<string>()
  if (exists && domain !== last) setLast(domain)
  // While the list loads, the address is believed.
  return (exists === false ? undefined : domain) ?? last ?? busiest(data)?.domain
}

const busiest = (domains: readonly AccountDomain[] = []): AccountDomain | undefined =>
  domains.toSorted((a, b) => b.identifications_last_day - a.identifications_last_day)[0]
