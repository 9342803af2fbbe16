import {
  DOMAIN_RIGHT_NAMES,
  type DomainRight,
  type DomainRole,
  rightsAnywhere,
} from '@inkling/contract/account'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApiQuery, useUser } from './use-api.ts'

const NO_ROLES: ReadonlyMap<string, DomainRole> = new Map()

/** What the signed-in user may do in a domain; without one, in any. The server decides itself. */
export function useRights(domain: string | undefined): ReadonlySet<DomainRight> {
  const role = useUser()?.role ?? 'member'
  const { data } = useApiQuery('listDomains', {}, { enabled: role !== 'owner' })
  return useMemo(() => {
    if (role === 'owner') return new Set(DOMAIN_RIGHT_NAMES)
    if (domain !== undefined) return new Set(data?.find((known) => known.domain === domain)?.rights)
    return new Set([
      ...rightsAnywhere({ role, domainRoles: NO_ROLES }),
      ...(data ?? []).flatMap(({ rights }) => rights),
    ])
  }, [role, data, domain])
}

/** Whether to show what needs a right in the domain of the page. */
export const useMay = (right: DomainRight): boolean =>
  useRights(useParams({ strict: false }).domain).has(right)

/** What a page, a setting or a button needs; `owner` for an owner of the installation. */
export type Needs = DomainRight | 'owner'

/** Whether what somebody needs is given: rights in a domain, and being an owner of the installation. */
export const isGiven = (
  needs: Needs | undefined,
  { isOwner, rights }: { isOwner: boolean; rights: ReadonlySet<DomainRight> },
): boolean => {
  if (needs === undefined) return true
  return needs === 'owner' ? isOwner : rights.has(needs)
}
