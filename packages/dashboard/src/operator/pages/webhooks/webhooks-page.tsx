import type { NewEndpoint, WebhookEndpoint } from '@inkling/contract/account'
import { Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { AddDialog, SecretsDialog } from '../../parts/dialogs.tsx'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { EndpointCard } from './endpoint-card.tsx'

const route = getRouteApi('/signed-in/d/$domain/webhooks')

export function WebhooksPage() {
  const { domain } = route.useParams()
  const mayChange = useMay('settings:write')
  const query = useApiQuery('listEndpoints', { params: { domain } })
  const [added, setAdded] = useState<NewEndpoint>()
  return (
    <>
      <PageHead about={`Every scored identification of ${domain} is sent to each enabled endpoint.`}>
        {mayChange && <AddEndpoint domain={domain} onAdded={setAdded} />}
      </PageHead>
      <Loaded query={query}>{(endpoints) => <Endpoints domain={domain} endpoints={endpoints} />}</Loaded>
      <SecretsDialog
        title="Signing secret"
        about="Events to this endpoint are signed with it. Copy it now: it is not shown again."
        secrets={added && [{ name: added.url, value: added.secret }]}
        close={() => setAdded(undefined)}
      />
    </>
  )
}

const Endpoints = ({ domain, endpoints }: { domain: string; endpoints: readonly WebhookEndpoint[] }) =>
  endpoints.length === 0 ? (
    <Empty title="No endpoints yet">Events are sent once you add one. Until then, use the History API.</Empty>
  ) : (
    <Stack>
      {endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.id} domain={domain} endpoint={endpoint} />
      ))}
    </Stack>
  )

interface AddEndpointProps {
  domain: string
  onAdded(endpoint: NewEndpoint): void
}

function AddEndpoint({ domain, onAdded }: AddEndpointProps) {
  const disclosure = useDisclosure()
  const [url, setUrl] = useState('')
  const add = useApiMutation('addEndpoint', ['listEndpoints', 'listDomains'])

  const submit = () =>
    add.mutate(
      { params: { domain }, body: { url: url.trim() } },
      {
        onSuccess(endpoint) {
          setUrl('')
          disclosure[1].close()
          onAdded(endpoint)
        },
      },
    )

  return (
    <AddDialog title="Add an endpoint" disclosure={disclosure} mutation={add} submit={submit}>
      <TextInput
        label="URL"
        placeholder={`https://backend.${domain}/inkling`}
        value={url}
        required
        data-autofocus
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </AddDialog>
  )
}
