import { useInfiniteQuery } from '@tanstack/react-query'

interface Page<Entry> {
  data: Entry[]
  /** Leads to the page after it; null at the end. */
  next: string | null
}

interface Pages<Entry> {
  entries: Entry[]
  error: Error | null
  waiting: boolean
  hasMore: boolean
  loadMore(): void
  retry(): void
}

/**
 * A list that is read page by page.
 * @param key the operation's name first, so that a change of what it lists has it read again
 */
export function usePages<Entry>(
  key: readonly unknown[],
  read: (paging: { cursor?: string }, signal: AbortSignal) => Promise<Page<Entry>>,
): Pages<Entry> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })
  return {
    entries: query.data?.pages.flatMap((page) => page.data) ?? [],
    error: query.error,
    waiting: query.isPending && !query.error,
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}
