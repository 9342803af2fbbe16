import type { AccountFeeds } from '@inkling/contract/account'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useAnswer, useChange, useIsOwner } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { attempt } from '../../parts/attempt.ts'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { FeedTable } from './feed-table.tsx'

/** How often their state is looked at. */
const LOOK_MS = 2_000

export function FeedsPage() {
  const query = useAnswer('listFeeds', {}, { refetchInterval: LOOK_MS })
  const isOwner = useIsOwner()
  const change = useChange('updateFeeds', ['listFeeds'])
  const update = (feeds: string[]) =>
    attempt('The update is running.', () => change.mutateAsync({ body: { feeds } }))
  const { data } = query
  return (
    <>
      <PageHead
        title="Feeds"
        about="Public lists of addresses, fetched from their publishers. The last good one stays in use when an attempt fails."
      >
        {isOwner && data && data.feeds.length > 0 && (
          <Button
            variant="default"
            disabled={data.updating !== null}
            onClick={() => void update(data.feeds.map(({ feed }) => feed))}
          >
            Update all now
          </Button>
        )}
      </PageHead>
      <Answered query={query}>
        {({ feeds, updating }) =>
          feeds.length === 0 ? (
            <Empty title="No lists are used">
              <code>FEEDS</code> is <code>off</code>: signals about Tor, VPNs and data centers rest on the
              address database alone.
            </Empty>
          ) : (
            <Stack>
              {updating && <Updating {...updating} />}
              <FeedTable feeds={feeds} {...(isOwner && { update, isBusy: updating !== null })} />
            </Stack>
          )
        }
      </Answered>
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
