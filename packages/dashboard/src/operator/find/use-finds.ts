import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { useRights } from '../api/rights.ts'
import { useApiQuery, useIsOwner } from '../api/use-api.ts'
import type { Find } from './find.ts'
import { absentTexts, findsOf } from './found-things.ts'
import { namedPages } from './named-pages.ts'

interface Finds {
  /** Rows for exactly this text: pages at once, then what the server found. */
  finds: readonly Find[]
  /** What the text names and the domain does not have. */
  absent: readonly string[]
  /** Whether the server has still to answer. */
  isLooking: boolean
  error: Error | null
}

/** Somebody who types an ID by hand asks for a few beginnings of it, not for each. */
const PAUSE_MS = 150

/** What a text can mean: pages of the dashboard, and whatever the domain has. */
export function useFinds(text: string, domain: string | undefined): Finds {
  const isOwner = useIsOwner()
  const rights = useRights(domain)
  const { data: domains, isPending } = useApiQuery('listDomains', {})
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const isAskable = domain !== undefined && text.trim() !== ''
  const isAsked = isAskable && rights.has('visits:read')
  const { data, error } = useApiQuery(
    'findAnything',
    { params: { domain: domain ?? '' }, query: { q: settled } },
    { enabled: isAsked && settled.trim() !== '' },
  )
  // An answer to an earlier text must not be mistaken for one to this.
  const answer = isAsked && settled === text ? data : undefined
  const failed = isAsked && settled === text ? error : null
  const finds = useMemo(
    () => [
      ...namedPages(text, { domain, domains: domains?.map((known) => known.domain) ?? [], isOwner, rights }),
      ...(answer && domain !== undefined ? findsOf(domain, answer) : []),
    ],
    [text, domain, domains, isOwner, rights, answer],
  )
  return {
    finds,
    absent: answer ? absentTexts(answer.absent) : [],
    // Right after a page opened it is not known yet what its user may see.
    isLooking: (isAskable && isPending && !isOwner) || (isAsked && !answer && !failed),
    error: failed,
  }
}
