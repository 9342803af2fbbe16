import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { usePages } from '../../api/use-pages.ts'
import { DeliveryList } from '../../parts/delivery-list.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Waiting } from '../../parts/waiting.tsx'

interface DeliveryLogProps {
  domain: string
  endpointId: number
}

export function DeliveryLog({ domain, endpointId }: DeliveryLogProps) {
  const api = useApi()
  const params = { domain, endpoint_id: endpointId }
  const [outcome, setOutcome] = useState<'all' | 'failed'>('all')
  const { entries, error, waiting, hasMore, loadMore, retry } = usePages(
    ['listDeliveries', params, outcome],
    (paging, signal) => api.ask('listDeliveries', { params, query: { outcome, ...paging } }, signal),
  )
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label="Which sends"
          data={[
            { value: 'all', label: 'All' },
            { value: 'failed', label: 'Failed' },
          ]}
          value={outcome}
          onChange={(chosen) => setOutcome(chosen === 'failed' ? 'failed' : 'all')}
        />
      </Group>
      {error && <Failed error={error} retry={retry} />}
      {waiting && <Waiting />}
      {!waiting && !error && entries.length === 0 && <Empty title="Nothing was sent" />}
      {entries.length > 0 && <DeliveryList deliveries={entries} />}
      <LoadMore hasMore={hasMore} load={loadMore} />
    </Stack>
  )
}
