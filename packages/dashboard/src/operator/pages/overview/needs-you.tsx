import {
  type CaseCounts,
  COMPARED_FROM,
  type OverviewValues,
  type PatternFinding,
} from '@inkling/contract/account'
import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { casesText } from '../../parts/case-words.tsx'
import { Loaded, Loading } from '../../parts/feedback.tsx'
import { countText } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { EntityLink, FindingLink, GradeBadge } from '../patterns/findings-table.tsx'
import type { TimeRange } from './overview-search.ts'
import { risenSignals } from './risen-signals.ts'
import { RowsWith, valueLabel } from './top-values.tsx'

const FINDINGS_SHOWN = 4
/** More than there are signals. */
const SIGNALS_MAX = 100
const REFRESH_MS = 60_000

interface NeedsYouProps {
  domain: string
  range: TimeRange
  /** Of the range before; undefined until it is known. */
  visitsBefore: number | undefined
}

/** What an analyst should look at first: the queue, patterns that are open, and signals that became frequent. */
export function NeedsYou({ domain, range, visitsBefore }: NeedsYouProps) {
  const params = { domain }
  const refreshed = { refetchInterval: REFRESH_MS }
  const cases = useApiQuery('countCases', { params }, refreshed)
  const query = { limit: FINDINGS_SHOWN + 1 }
  const findings = useApiQuery('listPatterns', { params, query }, refreshed)
  const signals = useApiQuery(
    'getOverviewValues',
    { params, query: { ...range, dimension: 'signal', limit: SIGNALS_MAX } },
    refreshed,
  )
  return (
    <Section title="Needs you">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Part title="Cases">
          <Loaded query={cases}>{(counts) => <Cases domain={domain} cases={counts} />}</Loaded>
        </Part>
        <Part title="Patterns">
          <Loaded query={findings}>{({ data }) => <Patterns domain={domain} findings={data} />}</Loaded>
        </Part>
        <Part title="More than before">
          <Loaded query={signals}>
            {(found) => <Risen domain={domain} signals={found} visitsBefore={visitsBefore} />}
          </Loaded>
        </Part>
      </SimpleGrid>
    </Section>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap={6}>
    <Title order={3} size="h6">
      {title}
    </Title>
    {children}
  </Stack>
)

const Cases = ({ domain, cases }: { domain: string; cases: CaseCounts }) =>
  cases.open === 0 ? (
    <Text size="sm">None is open.</Text>
  ) : (
    <>
      <Group gap="xs">
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/d/$domain/cases" params={{ domain }} search={{ tab: 'all' }} />
          )}
        >
          {`${casesText(cases.open)} open ${cases.open === 1 ? 'case' : 'cases'}`}
        </Anchor>
        {cases.overdue > 0 && (
          <StatusBadge tone="dangerous">{`${casesText(cases.overdue)} overdue`}</StatusBadge>
        )}
      </Group>
      <Text size="sm">{`${casesText(cases.mine)} yours, ${casesText(cases.unassigned)} of nobody`}</Text>
    </>
  )

/** The newest ones. */
const Patterns = ({ domain, findings }: { domain: string; findings: readonly PatternFinding[] }) => (
  <>
    {findings.length === 0 && <Text size="sm">None is open.</Text>}
    {findings.slice(0, FINDINGS_SHOWN).map((finding) => (
      <Text key={finding.id} size="sm" component="div">
        <FindingLink domain={domain} finding={finding} />
        <Group gap="xs">
          <EntityLink finding={finding} short />
          <GradeBadge finding={finding} />
        </Group>
      </Text>
    ))}
    {findings.length > FINDINGS_SHOWN && (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/d/$domain/patterns" params={{ domain }} />}
      >
        All open patterns
      </Anchor>
    )}
  </>
)

interface RisenProps extends Pick<NeedsYouProps, 'domain' | 'visitsBefore'> {
  signals: OverviewValues
}

function Risen({ domain, signals, visitsBefore }: RisenProps) {
  if (visitsBefore === undefined) return <Loading />
  if (visitsBefore < COMPARED_FROM)
    return <Text size="sm">The range before has too few visits to compare with.</Text>
  const risen = risenSignals(signals.values)
  if (risen.length === 0)
    return <Text size="sm">No signal was found far more often than in the range before.</Text>
  return risen.map(({ value, identifications }) => (
    <Text key={value} size="sm" component="div">
      <RowsWith domain={domain} range={signals} filter={{ signal: value }}>
        {valueLabel('signal', value)}
      </RowsWith>
      <Text size="sm" className="dim">
        {countText(identifications.value)} visits, {countText(identifications.previous)} before
      </Text>
    </Text>
  ))
}
