import { Button, Group } from '@mantine/core'

interface LoadMoreProps {
  hasMore: boolean
  load(): void
}

/** The way to the next page of a list; nothing at its end. */
export function LoadMore({ hasMore, load }: LoadMoreProps) {
  if (!hasMore) return null
  return (
    <Group justify="center" mt="sm">
      <Button variant="default" size="xs" onClick={load}>
        Load more
      </Button>
    </Group>
  )
}
