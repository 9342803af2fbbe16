import { type HistoryRow, SEARCH_TYPES } from '@inkling/contract'
import { Facts } from '../../parts/facts.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/section.tsx'

export const Identifiers = ({ row }: { row: HistoryRow }) => (
  <Section title="Identifiers" about="Each leads to everything that shares it.">
    <Facts
      facts={SEARCH_TYPES.map((type) => ({
        name: IDENTIFIER_LABELS[type],
        value: <Identifier type={type} value={row[type]} copy />,
      }))}
    />
  </Section>
)
