import type { CaseCounts, OverviewValue, OverviewValues, PatternFinding } from '@inkling/contract/account'
import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { StatusBadge } from '../../parts/badges.tsx'
import { countedText, countText } from '../../parts/format.tsx'
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
  /** Of the range before. */
  visitsBefore: number
}

/** What an analyst should look at first: the queue, patterns that are open, and signals that became frequent. */
export function NeedsYou({ domain, range, visitsBefore }: NeedsYouProps) {
  const params = { domain }
  const refreshed = { refetchInterval: REFRESH_MS }
  const cases = useApiQuery('countCases', { params }, refreshed).data
  const query = { limit: FINDINGS_SHOWN + 1 }
  const findings = useApiQuery('listPatterns', { params, query }, refreshed).data?.data
  const signals = useApiQuery(
    'getOverviewValues',
    { params, query: { ...range, dimension: 'signal', limit: SIGNALS_MAX } },
    refreshed,
  ).data
  if (!cases || !findings || !signals) return null
  const risen = risenSignals(signals.values, visitsBefore)
  return (
    <Section title="Needs you">
      {cases.open === 0 && findings.length === 0 && risen.length === 0 ? (
        <Text size="sm">Nothing: no case and no pattern is open, and no signal became frequent.</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Cases domain={domain} cases={cases} />
          <Patterns domain={domain} findings={findings} />
          <Risen domain={domain} signals={signals} risen={risen} />
        </SimpleGrid>
      )}
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

const Cases = ({ domain, cases }: { domain: string; cases: CaseCounts }) => (
  <Part title="Cases">
    {cases.open === 0 ? (
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
            {countedText(cases.open, 'open case')}
          </Anchor>
          {cases.overdue > 0 && <StatusBadge tone="dangerous">{`${cases.overdue} overdue`}</StatusBadge>}
        </Group>
        <Text size="sm">{`${cases.mine} yours, ${cases.unassigned} of nobody`}</Text>
      </>
    )}
  </Part>
)

/** The newest ones. */
const Patterns = ({ domain, findings }: { domain: string; findings: readonly PatternFinding[] }) => (
  <Part title="Patterns">
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
  </Part>
)

interface RisenProps {
  domain: string
  signals: OverviewValues
  risen: readonly OverviewValue[]
}

const Risen = ({ domain, signals, risen }: RisenProps) => (
  <Part title="More than before">
    {risen.length === 0 && (
      <Text size="sm">No signal was found far more often than in the range before.</Text>
    )}
    {risen.map(({ value, identifications }) => (
      <Text key={value} size="sm" component="div">
        <RowsWith domain={domain} range={signals} filter={{ signal: value }}>
          {valueLabel('signal', value)}
        </RowsWith>
        <Text size="sm" className="dim">
          {countText(identifications.value)} visits, {countText(identifications.previous)} before
        </Text>
      </Text>
    ))}
  </Part>
)
