import { SIGNAL_CATALOGUE } from '@inkling/contract'
import {
  COMPARED_FROM,
  type OverviewDimension,
  type OverviewValue,
  type OverviewValues,
} from '@inkling/contract/account'
import { Anchor, Button, Group, Progress, SegmentedControl, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useApiQuery } from '../../api/use-api.ts'
import { Loaded } from '../../parts/feedback.tsx'
import { countText, growthText, pointsText, scoreText, shareText, words } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { FILTER_NAMES, type TableSearch } from '../identifications/table-search.ts'
import type { TimeRange } from './overview-search.ts'
import { Change } from './totals.tsx'

/** The most important values; the others are shown on request. */
const SHOWN_FIRST = 6
const SHOWN_MAX = 100
const REFRESH_MS = 60_000

interface ValueSectionProps {
  domain: string
  range: TimeRange
  dimension: OverviewDimension
  title: string
  about?: string
  sort?: 'frequent' | 'riskiest'
  /** Controls below the heading. */
  children?: ReactNode
}

/** The values of one dimension, with their share, trend and risk. */
export function TopValues({
  domain,
  range,
  dimension,
  title,
  about,
  sort = 'frequent',
  children,
}: ValueSectionProps) {
  const [all, setAll] = useState(false)
  const limit = all ? SHOWN_MAX : SHOWN_FIRST
  const query = useApiQuery(
    'getOverviewValues',
    { params: { domain }, query: { ...range, dimension, sort, limit } },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <Section title={title} {...(about !== undefined && { about })}>
      {children}
      <Loaded query={query}>
        {(answer) => (
          <>
            {answer.values.length === 0 ? (
              <Text size="sm" className="dim">
                None in this range
              </Text>
            ) : (
              <ValueTable domain={domain} answer={answer} />
            )}
            {!all && answer.values.length === SHOWN_FIRST && (
              <Group>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setAll(true)}
                  aria-label={`Show more: ${title}`}
                >
                  Show more
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const SOURCES = { channel: 'Channels', referrer: 'Referrers', campaign: 'Campaigns' } as const
export type Source = keyof typeof SOURCES

interface TrafficProps {
  domain: string
  range: TimeRange
  source: Source
  choose(source: Source): void
}

/** Where visits came from, with the riskiest source first. */
export const Traffic = ({ domain, range, source, choose }: TrafficProps) => (
  <TopValues
    key={source}
    domain={domain}
    range={range}
    dimension={source}
    sort="riskiest"
    title="Traffic sources by risk"
    about={`Sorted by average risk. Sources with fewer than ${COMPARED_FROM} visits have too little data and come last.`}
  >
    <SegmentedControl
      aria-label="Kind of source"
      size="xs"
      value={source}
      data={Object.entries(SOURCES).map(([value, label]) => ({ value, label }))}
      onChange={(chosen) => choose(chosen as Source)}
    />
  </TopValues>
)

interface ValueTableProps {
  domain: string
  answer: OverviewValues
}

function ValueTable({ domain, answer }: ValueTableProps) {
  const { dimension, values } = answer
  return (
    <Table verticalSpacing={6} horizontalSpacing={4} layout="fixed" fz="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="40%">Value</Table.Th>
          <Table.Th ta="right">Visits</Table.Th>
          <Table.Th ta="right" className="one-line">
            Change
          </Table.Th>
          <Table.Th ta="right">{dimension === 'signal' ? 'Points' : 'Risk'}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {values.map((value) => (
          <Table.Tr key={value.value}>
            <Table.Td>
              <Value domain={domain} answer={answer} value={value} />
            </Table.Td>
            <Table.Td ta="right">{countText(value.identifications.value)}</Table.Td>
            <Table.Td ta="right">
              <Change change={value.identifications.change} text={growthText} />
            </Table.Td>
            <Table.Td ta="right">
              {value.mean_points === null ? <Risk value={value} /> : pointsText(value.mean_points)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** An average of only a few visits would say little about a source. */
const Risk = ({ value: { average_score, comparable } }: { value: OverviewValue }) =>
  comparable ? (
    <span>{scoreText(average_score)}</span>
  ) : (
    <Text span size="sm" className="dim" title={`Shown from ${COMPARED_FROM} visits`}>
      too few
    </Text>
  )

interface ValueProps extends ValueTableProps {
  value: OverviewValue
}

function Value({ domain, answer, value: { value, share } }: ValueProps) {
  const { dimension } = answer
  const label = valueLabel(dimension, value)
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {hasFilter(dimension) ? (
            <RowsWith domain={domain} range={answer} filter={{ [dimension]: value }}>
              {label}
            </RowsWith>
          ) : (
            label
          )}
        </Text>
        <Text span size="xs" className="dim">
          {shareText(share)}
        </Text>
      </Group>
      <Progress value={share * 100} size="sm" aria-label={`${label}: ${shareText(share)}`} />
    </>
  )
}

interface RowsWithProps {
  domain: string
  range: Pick<OverviewValues, 'from' | 'to'>
  filter: TableSearch
  children: ReactNode
}

/** A link to the identifications of a range that a filter leaves. */
export const RowsWith = ({ domain, range: { from, to }, filter, children }: RowsWithProps) => (
  <Anchor
    inherit
    renderRoot={(props) => (
      <Link {...props} to="/d/$domain/identifications" params={{ domain }} search={{ ...filter, from, to }} />
    )}
  >
    {children}
  </Anchor>
)

/** Whether the table of identifications has a filter for it. */
const hasFilter = (dimension: OverviewDimension): boolean =>
  (FILTER_NAMES as readonly string[]).includes(dimension)

const IN_WORDS: readonly OverviewDimension[] = ['flag', 'connection_type', 'agent_identity']

/** A value as people read it. */
export function valueLabel(dimension: OverviewDimension, value: string): string {
  if (value === '') return dimension === 'campaign' || dimension === 'referrer' ? 'none' : 'unknown'
  if (dimension === 'signal')
    return Object.entries(SIGNAL_CATALOGUE).find(([name]) => name === value)?.[1].title ?? value
  return IN_WORDS.includes(dimension) ? words(value) : value
}
