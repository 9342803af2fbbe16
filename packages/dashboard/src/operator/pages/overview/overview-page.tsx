import type { Overview } from '@inkling/contract/account'
import { Alert, Anchor, SimpleGrid, Stack } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { countText } from '../../parts/format.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { Charts, NumbersTable } from './charts.tsx'
import { CountriesMap } from './countries-map.tsx'
import { DecisionsByAction } from './decisions-by-action.tsx'
import { NeedsYou } from './needs-you.tsx'
import { rangeOf, type TimeRange } from './overview-search.ts'
import { RangePicker } from './range-picker.tsx'
import { type Source, TopValues, Traffic } from './top-values.tsx'
import { Totals } from './totals.tsx'

const route = getRouteApi('/signed-in/d/$domain/overview')
const REFRESH_MS = 15_000

export function OverviewPage() {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // Kept here, because `Panels` is unmounted while another range loads.
  const [source, setSource] = useState<Source>('channel')
  const range = rangeOf(search, Date.now())
  const query = useApiQuery(
    'getOverview',
    { params: { domain }, query: range },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <>
      <PageHead about={`Visits to ${domain}, compared with the previous range of the same length.`}>
        <RangePicker search={search} choose={(chosen) => void navigate({ search: chosen })} />
      </PageHead>
      <Stack gap="md">
        <NeedsYou domain={domain} range={range} visitsBefore={query.data?.identifications.previous} />
        <Loaded query={query}>
          {(overview) =>
            overview.identifications.value === 0 ? (
              <Nothing domain={domain} />
            ) : (
              <Panels domain={domain} range={range} overview={overview} source={source} choose={setSource} />
            )
          }
        </Loaded>
      </Stack>
    </>
  )
}

const Nothing = ({ domain }: { domain: string }) => (
  <Empty title="No identifications in this range">
    Choose a longer range. If there have never been any, set up the{' '}
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link {...props} to="/d/$domain/integration" params={{ domain }} />}
    >
      integration
    </Anchor>
    .
  </Empty>
)

interface PanelsProps {
  domain: string
  range: TimeRange
  overview: Overview
  source: Source
  choose(source: Source): void
}

const Panels = ({ domain, range, overview, source, choose }: PanelsProps) => (
  <Stack gap="md">
    {overview.uncounted > 0 && (
      <Alert variant="light" title="Some identifications are not counted yet">
        {countText(overview.uncounted)} are stored and will be included shortly.
      </Alert>
    )}
    <Totals overview={overview} />
    <Charts domain={domain} overview={overview} />
    <NumbersTable overview={overview} />
    <CountriesMap domain={domain} range={range} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <TopValues
        domain={domain}
        range={range}
        dimension="signal"
        title="Signals"
        about="The visits in which each signal was found, and the average points it added."
      />
      <Traffic domain={domain} range={range} source={source} choose={choose} />
      <DecisionsByAction domain={domain} range={range} />
      <TopValues domain={domain} range={range} dimension="flag" title="Detection flags" />
      <TopValues domain={domain} range={range} dimension="connection_type" title="Connection types" />
      {(overview.declared_agents.value > 0 || overview.declared_agents.previous > 0) && (
        <>
          <TopValues
            domain={domain}
            range={range}
            dimension="agent_identity"
            title="Declared agents"
            about="Programs that say what they are, by what is proven of them. Their share is of all visits."
          />
          <TopValues domain={domain} range={range} dimension="agent" title="Agents by name" />
        </>
      )}
      <TopValues domain={domain} range={range} dimension="country" title="Countries" />
      <TopValues domain={domain} range={range} dimension="browser" title="Browsers" />
      <TopValues domain={domain} range={range} dimension="os" title="Operating systems" />
      <TopValues domain={domain} range={range} dimension="device_type" title="Device types" />
    </SimpleGrid>
  </Stack>
)
