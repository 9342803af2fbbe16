import type { AccountFeed } from '@inkling/contract/account'
import { Badge, Button, ScrollArea, Table, Text } from '@mantine/core'
import { Time } from '../../parts/time.tsx'

const STATES: Record<AccountFeed['state'], { label: string; tint: string; color: string }> = {
  current: { label: 'Current', tint: 'band-trusted', color: 'teal' },
  failed: { label: 'Last attempt failed', tint: 'band-suspicious', color: 'yellow' },
  missing: { label: 'Never fetched', tint: 'band-rate_limited', color: 'gray' },
  stale: { label: 'Too old to be used', tint: 'band-dangerous', color: 'red' },
}

interface FeedTableProps {
  feeds: readonly AccountFeed[]
  /** Undefined for who may not. */
  update?: (feeds: string[]) => Promise<unknown>
  isBusy?: boolean
}

export const FeedTable = ({ feeds, update, isBusy = false }: FeedTableProps) => (
  <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Feeds' }}>
    <Table miw={900} withTableBorder verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Feed</Table.Th>
          <Table.Th>Says</Table.Th>
          <Table.Th ta="right">Rows</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Updated</Table.Th>
          <Table.Th>Next</Table.Th>
          <Table.Th>Publisher and terms</Table.Th>
          {update && <Table.Th>Update</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {feeds.map((feed) => (
          <Table.Tr key={feed.feed}>
            <Table.Td>
              <code>{feed.feed}</code>
            </Table.Td>
            <Table.Td>{feed.crawler ?? feed.kind.replaceAll('_', ' ')}</Table.Td>
            <Table.Td ta="right">{feed.rows.toLocaleString()}</Table.Td>
            <Table.Td>
              <State feed={feed} />
            </Table.Td>
            <Table.Td>{feed.updated_at === null ? 'never' : <Time at={feed.updated_at} />}</Table.Td>
            <Table.Td>{Date.parse(feed.next_at) <= Date.now() ? 'due' : <Time at={feed.next_at} />}</Table.Td>
            <Table.Td>
              <Text size="sm">{feed.terms}</Text>
              <Text size="xs" className="dim">
                {feed.url}
              </Text>
            </Table.Td>
            {update && (
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={isBusy}
                  aria-label={`Update ${feed.feed} now`}
                  onClick={() => void update([feed.feed])}
                >
                  Update
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea>
)

function State({ feed: { state, failure } }: { feed: AccountFeed }) {
  const { label, tint, color } = STATES[state]
  return (
    <>
      <Badge variant="light" color={color} className={tint} tt="none">
        {label}
      </Badge>
      {failure !== null && (
        <Text size="xs" mt={2}>
          {failure}
        </Text>
      )}
    </>
  )
}
