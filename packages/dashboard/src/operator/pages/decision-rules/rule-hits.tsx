import type { SavedDecisionRule } from '@inkling/contract/account'
import { Table, Text } from '@mantine/core'
import { bucketLabel, countText } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'

const COUNTS = ['Met on', 'Met in shadow', 'Failed']

interface Day {
  day: string
  on: number
  shadow: number
  failed: number
}

/** How often the rule was met each day, by the state that it had. */
export const RuleHits = ({ rule: { hits } }: { rule: SavedDecisionRule }) => (
  <Section
    title="Hits"
    about="Questions of your backend in which the rule was met, by day in UTC. A rule that fails could not be evaluated, and counts as not met."
  >
    {hits.length === 0 ? (
      <Text size="sm">There were none in 30 days. A rule that is off is not counted.</Text>
    ) : (
      <ScrollTable
        label="Hits by day"
        head={['Day', ...COUNTS]}
        numeric={COUNTS}
        miw={360}
        verticalSpacing={3}
      >
        {daysOf(hits).map(({ day, on, shadow, failed }) => (
          <Table.Tr key={day}>
            <Table.Th scope="row" fw={500}>
              {bucketLabel(day, 'day')}
            </Table.Th>
            <Table.Td ta="right">{countText(on)}</Table.Td>
            <Table.Td ta="right">{countText(shadow)}</Table.Td>
            <Table.Td ta="right">{countText(failed)}</Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    )}
  </Section>
)

/** One line a day, the newest first; a rule that changed its state has several counts of that day. */
function daysOf(hits: SavedDecisionRule['hits']): Day[] {
  const days = new Map<string, Day>()
  for (const { day, state, met, failed } of hits) {
    const known = days.get(day) ?? { day, on: 0, shadow: 0, failed: 0 }
    if (state !== 'off') known[state] += met
    known.failed += failed
    days.set(day, known)
  }
  return [...days.values()].sort((a, b) => b.day.localeCompare(a.day))
}
