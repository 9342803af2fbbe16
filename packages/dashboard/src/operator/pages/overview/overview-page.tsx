import type { Overview } from '@inkling/contract/account'
import { Alert, Anchor, SimpleGrid, Stack } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Charts } from './charts.tsx'
import { countText } from './numbers.ts'
import { NumbersTable } from './numbers-table.tsx'
import { RangePicker } from './range-picker.tsx'
import { type AskedRange, rangeOf } from './read-overview-search.ts'
import { Totals } from './totals.tsx'
import { type Source, Traffic } from './traffic.tsx'
import { ValueSection } from './value-section.tsx'

const route = getRouteApi('/signed-in/d/$domain/overview')
const REFRESHED_MS = 15_000

export function OverviewPage() {
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // Outside of what a change of the range takes away for a moment.
  const [source, setSource] = useState<Source>('channel')
  const range = rangeOf(search, Date.now())
  const query = useAnswer(
    'getOverview',
    { params: { domain }, query: range },
    { refetchInterval: REFRESHED_MS },
  )
  return (
    <>
      <PageHead title="Overview" about={`The visits of ${domain}, beside those of the same time before.`}>
        <RangePicker search={search} choose={(chosen) => void navigate({ search: chosen })} />
      </PageHead>
      <Answered query={query}>
        {(overview) =>
          overview.identifications.value === 0 ? (
            <Nothing domain={domain} />
          ) : (
            <Panels domain={domain} range={range} overview={overview} source={source} choose={setSource} />
          )
        }
      </Answered>
    </>
  )
}

const Nothing = ({ domain }: { domain: string }) => (
  <Empty title="No identification in this time">
    Choose a longer time above. If there was none ever, see under{' '}
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link {...props} to="/d/$domain/integration" params={{ domain }} />}
    >
      Integration
    </Anchor>{' '}
    how they come in.
  </Empty>
)

interface PanelsProps {
  domain: string
  range: AskedRange
  overview: Overview
  source: Source
  choose(source: Source): void
}

const Panels = ({ domain, range, overview, source, choose }: PanelsProps) => (
  <Stack gap="md">
    {overview.uncounted > 0 && (
      <Alert variant="light" title="Some are not counted yet">
        {countText(overview.uncounted)} identifications came in faster than they were counted. They are
        stored, and these numbers follow.
      </Alert>
    )}
    <Totals overview={overview} />
    <Charts overview={overview} />
    <NumbersTable overview={overview} />
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <ValueSection
        domain={domain}
        range={range}
        dimension="signal"
        title="Signals"
        about="How many visits each was found in, and the points it added on average."
      />
      <Traffic domain={domain} range={range} source={source} choose={choose} />
      <ValueSection domain={domain} range={range} dimension="flag" title="Detection flags" />
      <ValueSection domain={domain} range={range} dimension="connection_type" title="Connection types" />
      <ValueSection domain={domain} range={range} dimension="country" title="Countries" />
      <ValueSection domain={domain} range={range} dimension="browser" title="Browsers" />
      <ValueSection domain={domain} range={range} dimension="os" title="Systems" />
      <ValueSection domain={domain} range={range} dimension="device_type" title="Device types" />
    </SimpleGrid>
  </Stack>
)
