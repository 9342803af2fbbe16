import type { AccountDomain } from '@inkling/contract/account'
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/use-api.ts'
import { readInstallation } from '../../installation.ts'
import { Answered } from '../../parts/answered.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { FirstIdentification } from './first-identification.tsx'
import { historySample, pageSnippet, policyLines, webhookSample } from './samples.ts'

const route = getRouteApi('/signed-in/d/$domain/integration')
/** While somebody waits in front of it. */
const WAITING_EVERY_MS = 2_000

export function IntegrationPage() {
  const { domain } = route.useParams()
  const query = useAnswer('getDomain', { params: { domain } }, { refetchInterval: WAITING_EVERY_MS })
  return (
    <>
      <PageHead title="Integration" about={`Three steps until the visits of ${domain} are identified.`} />
      <Answered query={query}>{(found) => <Steps domain={found} />}</Answered>
    </>
  )
}

function Steps({ domain }: { domain: AccountDomain }) {
  const installation = readInstallation()
  return (
    <Stack gap="md">
      <FirstIdentification domain={domain} />
      <CodeBlock title="1. In your page" code={pageSnippet(installation, domain.public_key)} />
      <CodeBlock title="If your page has a content security policy" code={policyLines(installation)} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <CodeBlock title="2. In your backend: verify a webhook" code={webhookSample(installation)} />
        <CodeBlock title="Or: read the History API" code={historySample(installation)} />
      </SimpleGrid>
      <Text size="sm">
        3. Tell where events go:{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/webhooks" params={{ domain: domain.domain }} />
          )}
        >
          add a webhook endpoint
        </Anchor>
        . The API key was shown when the domain was added; an owner can rotate it under Domains and keys.
      </Text>
    </Stack>
  )
}
