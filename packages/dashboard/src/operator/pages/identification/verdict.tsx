import type { Explanation, HistoryRow } from '@inkling/contract'
import { Table, Text } from '@mantine/core'
import { StatusBadge } from '../../parts/badges.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import { type Claim, claimsOf } from './claims.ts'
import { verdictSentences } from './verdict-words.ts'

/** The verdict as one would tell it to a colleague. */
export const Verdict = ({ explanation }: { explanation: Explanation }) => (
  <Section title="Verdict">
    <Text size="lg" fw={500} component="p" m={0}>
      {verdictSentences(explanation).join(' ')}
    </Text>
    {explanation.evidence !== undefined && (
      <Text size="sm" className="dim">
        {`Of what could be known of this visit, ${Math.round(explanation.evidence * 100)}\u202f% is known and proven.`}
      </Text>
    )}
  </Section>
)

const STATES = {
  agrees: { tone: 'trusted', words: 'Agrees' },
  contradicts: { tone: 'suspicious', words: 'Differs' },
  unchecked: { tone: 'rate_limited', words: 'Not checked' },
} as const satisfies Record<Claim['state'], { tone: string; words: string }>

interface ClaimsProps {
  row: HistoryRow
  explanation: Explanation
  snapshot: Record<string, unknown> | null
}

/** What the browser says of itself beside what the server saw. */
export const Claims = (source: ClaimsProps) => (
  <Section
    title="Claimed and seen"
    about="What the browser says of itself, beside what the server saw without asking it."
  >
    <ScrollTable
      label="Claimed and seen"
      head={['', 'The browser says', 'The server saw', 'Together']}
      miw={480}
      fz="sm"
    >
      {claimsOf(source).map(({ topic, claimed, seen, state }) => (
        <Table.Tr key={topic}>
          <Table.Th scope="row">{topic}</Table.Th>
          <Table.Td>{claimed}</Table.Td>
          <Table.Td>{seen}</Table.Td>
          <Table.Td>
            <StatusBadge tone={STATES[state].tone}>{STATES[state].words}</StatusBadge>
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollTable>
  </Section>
)
