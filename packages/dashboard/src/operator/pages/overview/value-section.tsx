import type { OverviewDimension } from '@inkling/contract/account'
import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { Section } from '../../parts/section.tsx'
import type { AskedRange } from './read-overview-search.ts'
import { ValueTable } from './value-table.tsx'

/** Enough to see what matters; the others open on demand. */
const SHOWN_FIRST = 6
const SHOWN_MAX = 100
const REFRESHED_MS = 60_000

interface ValueSectionProps {
  domain: string
  range: AskedRange
  dimension: OverviewDimension
  title: string
  about?: string
  sort?: 'frequent' | 'riskiest'
  /** Beside the heading's text. */
  children?: ReactNode
}

/** The values of one dimension. */
export function ValueSection({
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
  const query = useAnswer(
    'getOverviewValues',
    { params: { domain }, query: { ...range, dimension, sort, limit } },
    { refetchInterval: REFRESHED_MS },
  )
  return (
    <Section title={title} {...(about !== undefined && { about })}>
      {children}
      <Answered query={query}>
        {(answer) => (
          <>
            {answer.values.length === 0 ? (
              <Text size="sm" className="dim">
                none in this range
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
      </Answered>
    </Section>
  )
}
