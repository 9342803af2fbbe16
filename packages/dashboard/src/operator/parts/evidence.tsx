import { evidenceFacts } from '../../evidence/evidence-facts.ts'
import type { EvidenceFact } from '../../evidence/plain-words.ts'
import { Identifier } from './identifier.tsx'
import { Facts } from './layout.tsx'

/** The facts behind a signal or an observation, in words. */
export const Evidence = ({ evidence }: { evidence: Record<string, unknown> }) => {
  const facts = evidenceFacts(evidence)
  return facts.length === 0 ? null : <EvidenceList facts={facts} />
}

const EvidenceList = ({ facts }: { facts: readonly EvidenceFact[] }) => (
  <Facts
    wide
    facts={facts.map((fact) => ({
      name: fact.label,
      value: <EvidenceValue fact={fact} />,
      nested: typeof fact.value !== 'string',
    }))}
  />
)

function EvidenceValue({ fact: { value, identifier } }: { fact: EvidenceFact }) {
  if (typeof value !== 'string') return <EvidenceList facts={value} />
  return identifier ? <Identifier type={identifier} value={value} /> : value
}
