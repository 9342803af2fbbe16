import type { AccountDomain } from '@inkling/contract/account'
import { Alert, Anchor, Loader, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMay } from '../../api/rights.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { type Installation, readInstallation } from '../../installation.ts'
import { CodeBlock } from '../../parts/code.tsx'
import { Loaded } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { VisitLink } from '../../parts/visit-link.tsx'

const route = getRouteApi('/signed-in/d/$domain/integration')
/** Short, because somebody is waiting for the first identification. */
const REFRESH_MS = 2_000
const untilFirst = (domain: AccountDomain | undefined): number | false =>
  domain?.last_identification_at == null && REFRESH_MS

export function IntegrationPage() {
  const { domain } = route.useParams()
  const query = useApiQuery('getDomain', { params: { domain } }, { refetchInterval: untilFirst })
  return (
    <>
      <PageHead about={`Three steps to identify the visits to ${domain}.`} />
      <Loaded query={query}>{(found) => <Steps domain={found} />}</Loaded>
    </>
  )
}

function Steps({ domain }: { domain: AccountDomain }) {
  const installation = readInstallation()
  return (
    <Stack gap="md">
      <FirstIdentification domain={domain} />
      <CodeBlock title="1. In your page" code={pageSnippet(installation, domain.public_key)} />
      <CodeBlock title="If your page has a content security policy (CSP)" code={policyLines(installation)} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <CodeBlock title="2. In your backend: verify a webhook" code={webhookSample(installation)} />
        <CodeBlock title="Alternatively: read the History API" code={historySample(installation)} />
      </SimpleGrid>
      <Text size="sm">
        3. Receive events:{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/webhooks" params={{ domain: domain.domain }} />
          )}
        >
          add a webhook endpoint
        </Anchor>
        . The API key was shown once, when the domain was added. An owner can rotate it under Domains and
        keys.
      </Text>
    </Stack>
  )
}

/** Waits for the first visit, then links to the latest one. */
function FirstIdentification({ domain }: { domain: AccountDomain }) {
  const seen = domain.last_identification_at
  const maySee = useMay('visits:read')
  const newest = useApiQuery(
    'searchIdentifications',
    { params: { domain: domain.domain }, query: { limit: 1 } },
    { enabled: seen !== null && maySee },
  )
  if (!domain.enabled)
    return (
      <Alert color="yellow" icon={<Icon name="alert" />} title="This domain is disabled">
        Its keys do not work until an owner enables it.
      </Alert>
    )
  if (seen === null)
    return (
      <Alert
        color="indigo"
        icon={<Loader size={18} />}
        title="Waiting for the first identification"
        role="status"
      >
        Add the snippet to a page with a form on {domain.domain} or a subdomain, open that page in a browser
        and click into the form. The visit appears here within seconds.
      </Alert>
    )
  const requestId = newest.data?.data[0]?.request_id
  return (
    <Alert color="teal" icon={<Icon name="check" />} title="Identifications are arriving" role="status">
      The latest arrived at <Time at={seen} />.{' '}
      {requestId !== undefined && (
        <VisitLink inherit c="inherit" underline="always" domain={domain.domain} requestId={requestId}>
          Open it
        </VisitLink>
      )}
    </Alert>
  )
}

/** For the page: sends the request ID along with a form, so that the backend can look up the verdict. */
const pageSnippet = ({ agentUrl }: Installation, publicKey: string): string =>
  `<script type="module">
  import { identifyOnInteraction } from '${agentUrl}/embed.js'

  // Sends a request ID in the hidden field request_id of your form.
  identifyOnInteraction(document.forms[0], {
    agentUrl: '${agentUrl}',
    publicKey: '${publicKey}',
  })
</script>`

/** The directives that a content security policy needs. */
function policyLines({ agentUrl, ingestUrl }: Installation): string {
  const ingest = new URL(ingestUrl).origin
  return `script-src ${new URL(agentUrl).origin};
connect-src ${ingest} ${ingest.replace(/^http/, 'ws')};
worker-src blob:`
}

/** For the backend, without dependencies. */
const webhookSample = ({ serviceName }: Installation): string =>
  `import { createHmac, timingSafeEqual } from 'node:crypto'

/** @param rawBody the bytes as received, before any parsing */
export function isGenuine(rawBody, headers, secret) {
  const expected = 'sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex')
  const given = headers['x-${serviceName.toLowerCase()}-signature'] ?? ''
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}`

/** For backends that poll instead of receiving webhooks. */
const historySample = ({ historyUrl }: Installation): string =>
  `curl -H 'Authorization: Bearer YOUR_API_KEY' \\
  '${historyUrl}/api/v1/history/request_id/REQUEST_ID'`
