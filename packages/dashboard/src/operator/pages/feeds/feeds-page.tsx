import type { AccountFeed, AccountFeeds } from '@inkling/contract/account'
import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { useApiMutation, useApiQuery, useIsOwner } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { countText, Time, words } from '../../parts/format.tsx'
import { PageHead, ScrollTable } from '../../parts/layout.tsx'

const REFRESH_MS = 30_000
/** Somebody is watching the progress. */
const UPDATING_MS = 2_000
const refreshMs = (feeds: AccountFeeds | undefined): number => (feeds?.updating ? UPDATING_MS : REFRESH_MS)

export function FeedsPage() {
  const query = useApiQuery('listFeeds', {}, { refetchInterval: refreshMs })
  const isOwner = useIsOwner()
  const change = useApiMutation('updateFeeds', ['listFeeds'])
  const update = (feeds: string[]) =>
    attempt('The update has started.', () => change.mutateAsync({ body: { feeds } }))
  const { data } = query
  return (
    <>
      <PageHead about="Public lists of addresses, fetched from their publishers. If a fetch fails, the last good copy stays in use.">
        {isOwner && data && data.feeds.length > 0 && (
          <Button
            variant="default"
            disabled={data.updating !== null}
            onClick={() => void update(data.feeds.map(({ feed }) => feed))}
          >
            Update all
          </Button>
        )}
      </PageHead>
      <Loaded query={query}>
        {({ feeds, updating }) =>
          feeds.length === 0 ? (
            <Empty title="Feeds are off">
              <code>FEEDS</code> is <code>off</code>, so signals about Tor, VPNs and data centers rely on the
              IP database alone.
            </Empty>
          ) : (
            <Stack>
              {updating && <Updating {...updating} />}
              <FeedTable feeds={feeds} {...(isOwner && { update, isBusy: updating !== null })} />
            </Stack>
          )
        }
      </Loaded>
    </>
  )
}

const Updating = ({ feed, done, total }: NonNullable<AccountFeeds['updating']>) => (
  <Group gap="sm">
    <Progress value={(done / total) * 100} flex="1 1 200px" aria-label="Progress of the update" />
    <Text size="sm" role="status">
      Fetching {feed}, {done + 1} of {total}
    </Text>
  </Group>
)

interface FeedTableProps {
  feeds: readonly AccountFeed[]
  /** Undefined for analysts. */
  update?: (feeds: string[]) => Promise<unknown>
  isBusy?: boolean
}

const FeedTable = ({ feeds, update, isBusy = false }: FeedTableProps) => (
  <ScrollTable
    label="Feeds"
    head={[
      // First, so that it is in sight however narrow the window is.
      ...(update ? ['Update'] : []),
      'Feed',
      'Lists',
      'Entries',
      'Status',
      'Last update',
      'Next update',
      'Publisher and terms',
    ]}
    numeric={['Entries']}
    miw={900}
    withTableBorder
  >
    {feeds.map((feed) => (
      <Table.Tr key={feed.feed}>
        {update && (
          <Table.Td>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy}
              aria-label={`Update ${feed.feed}`}
              onClick={() => void update([feed.feed])}
            >
              Update
            </Button>
          </Table.Td>
        )}
        <Table.Td>
          <code className="one-line">{feed.feed}</code>
        </Table.Td>
        <Table.Td>{feed.crawler ?? words(feed.kind)}</Table.Td>
        <Table.Td ta="right">{countText(feed.rows)}</Table.Td>
        <Table.Td>
          <Status feed={feed} />
        </Table.Td>
        <Table.Td>{feed.updated_at === null ? 'never' : <Time at={feed.updated_at} />}</Table.Td>
        <Table.Td>{Date.parse(feed.next_at) <= Date.now() ? 'due' : <Time at={feed.next_at} />}</Table.Td>
        <Table.Td>
          <Text size="sm">{feed.terms}</Text>
          <Text size="xs" className="dim" style={{ overflowWrap: 'anywhere' }}>
            {feed.url}
          </Text>
        </Table.Td>
      </Table.Tr>
    ))}
  </ScrollTable>
)

const STATES = {
  current: { label: 'Current', tone: 'trusted' },
  failed: { label: 'Last update failed', tone: 'suspicious' },
  missing: { label: 'Never fetched', tone: 'rate_limited' },
  stale: { label: 'Expired, not in use', tone: 'dangerous' },
} as const

const Status = ({ feed: { state, failure } }: { feed: AccountFeed }) => (
  <>
    <StatusBadge tone={STATES[state].tone}>{STATES[state].label}</StatusBadge>
    {failure !== null && (
      <Text size="xs" mt={2}>
        {failure}
      </Text>
    )}
  </>
)
