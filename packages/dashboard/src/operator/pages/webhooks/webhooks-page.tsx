import type { NewEndpoint, WebhookEndpoint } from '@inkling/contract/account'
import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useIsOwner } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { AddEndpoint } from './add-endpoint.tsx'
import { EndpointCard } from './endpoint-card.tsx'

const route = getRouteApi('/signed-in/d/$domain/webhooks')

export function WebhooksPage() {
  const { domain } = route.useParams()
  const isOwner = useIsOwner()
  const query = useAnswer('listEndpoints', { params: { domain } })
  const [added, setAdded] = useState<NewEndpoint>()
  return (
    <>
      <PageHead
        title="Webhooks"
        about={`Every scored identification of ${domain} goes to each enabled endpoint.`}
      >
        {isOwner && <AddEndpoint domain={domain} added={setAdded} />}
      </PageHead>
      <Answered query={query}>{(endpoints) => <Endpoints domain={domain} endpoints={endpoints} />}</Answered>
      <ShownOnce
        title="Signing secret"
        about="Copy it now: it is not shown again. Events to this endpoint are signed with it."
        secrets={added && [{ name: added.url, value: added.secret }]}
        close={() => setAdded(undefined)}
      />
    </>
  )
}

const Endpoints = ({ domain, endpoints }: { domain: string; endpoints: readonly WebhookEndpoint[] }) =>
  endpoints.length === 0 ? (
    <Empty title="No endpoint yet">
      Events are sent as soon as there is one. Until then, read the History API.
    </Empty>
  ) : (
    <Stack>
      {endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.id} domain={domain} endpoint={endpoint} />
      ))}
    </Stack>
  )
