import { Alert, Box, Button, Center, Group, Skeleton, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/request.ts'
import type { PagedItems } from '../api/use-api.ts'
import { Time } from './format.tsx'
import { Icon } from './icon.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data, Error>
  children: (data: Data) => ReactNode
}

/** Shows the data of a query once it has loaded, and whether it is current; until then a placeholder, or why it failed. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.error && <NotCurrent query={query} error={query.error} />}
        {children(query.data)}
      </>
    )
  if (query.error) return <ErrorAlert error={query.error} retry={() => void query.refetch()} />
  return <Loading />
}

/** Above what was loaded before the server failed. */
const NotCurrent = ({ query, error }: { query: UseQueryResult<unknown, Error>; error: Error }) => (
  <Box mb="md">
    <ErrorAlert error={error} retry={() => void query.refetch()}>
      Not current since <Time at={query.dataUpdatedAt} />:{' '}
    </ErrorAlert>
  </Box>
)

interface LoadedPagesProps<Item> {
  pages: PagedItems<Item>
  /** Shown instead of an empty list. */
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** The same for a list that loads page by page. */
export function LoadedPages<Item>({
  pages: { items, error, loading, hasMore, loadMore, retry },
  empty,
  children,
}: LoadedPagesProps<Item>) {
  return (
    <>
      {error && <ErrorAlert error={error} retry={retry} />}
      {loading && <Loading />}
      {!loading && !error && items.length === 0 && empty}
      {items.length > 0 && children(items)}
      {hasMore && (
        <Group justify="center" mt="sm">
          <Button variant="default" size="xs" onClick={loadMore}>
            Load more
          </Button>
        </Group>
      )}
    </>
  )
}

export const Loading = () => (
  <Stack gap="sm" role="status" aria-label="Loading">
    <Skeleton height={28} width="40%" />
    <Skeleton height={18} />
    <Skeleton height={18} />
    <Skeleton height={18} width="70%" />
  </Stack>
)

interface EmptyProps {
  title: string
  children?: ReactNode
}

/** Shown instead of an empty list: why it is empty, and what to do. */
export const Empty = ({ title, children }: EmptyProps) => (
  <Center py="xl" px="md">
    <Stack gap="xs" align="center" maw={460} ta="center">
      <Text fw={600}>{title}</Text>
      <div className="dim">{children}</div>
    </Stack>
  </Center>
)

interface ErrorAlertProps {
  error: Error
  retry?: (() => void) | undefined
  /** What stands before the error. */
  children?: ReactNode
}

/** Why something failed, in the server's own words. */
export const ErrorAlert = ({ error, retry, children }: ErrorAlertProps) => (
  <Alert color="red" variant="light" icon={<Icon name="alert" />} title={titleOf(error)} role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {children}
        {sentence(error.message)}
      </Text>
      {retry && (
        <Button size="xs" variant="default" onClick={() => retry()}>
          Try again
        </Button>
      )}
    </Stack>
  </Alert>
)

function titleOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong'
  if (error.status === 404) return 'Not found'
  return error.status === 0 ? 'No connection' : 'Something went wrong'
}

/** The server's messages are fragments, such as `no such domain`. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Runs a change and shows a notification: `done` when it worked, otherwise the server's error message. */
export async function attempt<Result>(
  done: string | ((result: Result) => string),
  change: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const result = await change()
    notifications.show({ message: typeof done === 'function' ? done(result) : done, color: 'teal' })
    return result
  } catch (error) {
    notifications.show({
      message: sentence(error instanceof Error ? error.message : String(error)),
      color: 'red',
      role: 'alert',
    })
    return undefined
  }
}
