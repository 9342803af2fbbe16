import { COMPARED_FROM } from '@inkling/contract/account'
import { SegmentedControl } from '@mantine/core'
import type { AskedRange } from './read-overview-search.ts'
import { ValueSection } from './value-section.tsx'

const SOURCES = { channel: 'Channels', referrer: 'Referrers', campaign: 'Campaigns' } as const
export type Source = keyof typeof SOURCES

interface TrafficProps {
  domain: string
  range: AskedRange
  source: Source
  choose(source: Source): void
}

/** Where visits came from, the riskiest source first. */
export const Traffic = ({ domain, range, source, choose }: TrafficProps) => (
  <ValueSection
    key={source}
    domain={domain}
    range={range}
    dimension={source}
    sort="riskiest"
    title="Traffic sources by risk"
    about={`Ranked by average risk from ${COMPARED_FROM} visits on: fewer say little about a source, and come after.`}
  >
    <SegmentedControl
      aria-label="Kind of source"
      size="xs"
      value={source}
      data={Object.entries(SOURCES).map(([value, label]) => ({ value, label }))}
      onChange={(chosen) => choose(chosen as Source)}
    />
  </ValueSection>
)
