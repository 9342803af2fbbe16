import type { AccountAnswer, AccountOperationName, SignedInUser } from '@inkling/contract/account'
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Api } from './api.ts'
import type { RequestOf } from './request-of.ts'

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('no API around this component')
  return api
}

/** Undefined while nobody is signed in. */
export function useUser(): SignedInUser | undefined {
  const { session } = useApi()
  return useSyncExternalStore(session.subscribe, session.user)
}

/** Whether controls that change something are shown. The server decides for itself. */
export const useIsOwner = (): boolean => useUser()?.role === 'owner'

/** The answer of one operation, kept and shared by its request. */
export function useAnswer<Name extends AccountOperationName>(
  name: Name,
  request: RequestOf<Name>,
  options: { refetchInterval?: number | false; enabled?: boolean } = {},
): UseQueryResult<AccountAnswer<Name>, Error> {
  const api = useApi()
  return useQuery<AccountAnswer<Name>, Error>({
    queryKey: [name, request],
    queryFn: ({ signal }) => api.ask(name, request, signal),
    ...options,
  })
}

/** Changes something, and has the answers of the named operations read again. */
export function useChange<Name extends AccountOperationName>(
  name: Name,
  outdated: readonly AccountOperationName[],
): UseMutationResult<AccountAnswer<Name>, Error, RequestOf<Name>> {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<AccountAnswer<Name>, Error, RequestOf<Name>>({
    mutationFn: (request) => api.ask(name, request),
    onSuccess: () =>
      Promise.all(
        [...outdated, 'listAudit'].map((known) => queries.invalidateQueries({ queryKey: [known] })),
      ),
  })
}
