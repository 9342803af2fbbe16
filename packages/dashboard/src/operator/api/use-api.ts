import type { AccountAnswer, AccountOperationName, SignedInUser } from '@inkling/contract/account'
import {
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Api } from './api.ts'
import type { RequestOf } from './request.ts'

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('no ApiContext around this component')
  return api
}

/** Undefined while nobody is signed in. */
export function useUser(): SignedInUser | undefined {
  const { session } = useApi()
  return useSyncExternalStore(session.subscribe, session.user)
}

/** Whether to show what is for owners of the installation. The server decides itself. */
export const useIsOwner = (): boolean => useUser()?.role === 'owner'

interface ApiQueryOptions<Name extends AccountOperationName> {
  /** A function decides by the latest response, so that only what changes is asked for often. */
  refetchInterval?: number | false | ((latest: AccountAnswer<Name> | undefined) => number | false)
  enabled?: boolean
}

/** The response of an operation; components that make the same request share it. */
export function useApiQuery<Name extends AccountOperationName>(
  name: Name,
  request: RequestOf<Name>,
  { refetchInterval, ...options }: ApiQueryOptions<Name> = {},
): UseQueryResult<AccountAnswer<Name>, Error> {
  const api = useApi()
  return useQuery<AccountAnswer<Name>, Error>({
    queryKey: [name, request],
    queryFn: ({ signal }) => api.call(name, request, signal),
    ...(refetchInterval !== undefined && {
      refetchInterval:
        typeof refetchInterval === 'function'
          ? ({ state: { data } }) => refetchInterval(data)
          : refetchInterval,
    }),
    ...options,
  })
}

/** The responses of one operation to several requests, in their order. Each is made once, however often the user returns. */
export function useApiQueries<Name extends AccountOperationName>(
  name: Name,
  requests: readonly RequestOf<Name>[],
): UseQueryResult<AccountAnswer<Name>, Error>[] {
  const api = useApi()
  return useQueries({
    queries: requests.map((request) => ({
      queryKey: [name, request],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call(name, request, signal),
      staleTime: Infinity,
    })),
  })
}

/** Calls an operation that changes something, then refetches the operations whose data it outdates. */
export function useApiMutation<Name extends AccountOperationName>(
  name: Name,
  outdated: readonly AccountOperationName[],
): UseMutationResult<AccountAnswer<Name>, Error, RequestOf<Name>> {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<AccountAnswer<Name>, Error, RequestOf<Name>>({
    mutationFn: (request) => api.call(name, request),
    onSuccess: () =>
      Promise.all(
        [...outdated, 'listAudit', 'listDomainAudit'].map((known) =>
          queries.invalidateQueries({ queryKey: [known] }),
        ),
      ),
  })
}

interface Page<Item> {
  data: Item[]
  /** Cursor of the next page; null on the last one. */
  next: string | null
  /** How many items all pages have together, where the operation says so. */
  total?: number
}

export interface PagedItems<Item> {
  items: Item[]
  total: number | undefined
  error: Error | null
  loading: boolean
  hasMore: boolean
  loadMore(): void
  retry(): void
}

/**
 * A list that is read page by page.
 * @param key starts with the operation's name, so that mutations can invalidate it
 */
export function usePages<Item>(
  key: readonly unknown[],
  read: (paging: { cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>,
): PagedItems<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })
  return {
    items: query.data?.pages.flatMap((page) => page.data) ?? [],
    total: query.data?.pages.at(-1)?.total,
    error: query.error,
    loading: query.isPending && !query.error,
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}
