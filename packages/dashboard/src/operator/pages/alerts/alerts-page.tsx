import type { Alert } from '@inkling/contract/account'
import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/rights.ts'
import { useApi, usePages } from '../../api/use-api.ts'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { PageHead, Section } from '../../parts/layout.tsx'
import { AlertsTable } from './alerts-table.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { RulesSection } from './rules-section.tsx'

const route = getRouteApi('/signed-in/d/$domain/alerts')

export function AlertsPage() {
  const { domain } = route.useParams()
  const maySee = useMay('visits:read')
  return (
    <>
      <PageHead
        about={`Tells people what happens on ${domain}: by e-mail, in chats, through PagerDuty or a webhook.`}
      />
      <Stack>
        {maySee && <Happened domain={domain} />}
        <RulesSection domain={domain} />
        <ChannelsSection domain={domain} />
      </Stack>
    </>
  )
}

function Happened({ domain }: { domain: string }) {
  const api = useApi()
  const pages = usePages(['listAlerts', domain], (paging, signal) =>
    api.call('listAlerts', { params: { domain }, query: paging }, signal),
  )
  return (
    <Section title="What happened">
      <LoadedPages
        pages={pages}
        empty={<Empty title="No alerts yet">They are listed here once a rule has something to tell.</Empty>}
      >
        {(alerts: readonly Alert[]) => <AlertsTable alerts={alerts} />}
      </LoadedPages>
    </Section>
  )
}
