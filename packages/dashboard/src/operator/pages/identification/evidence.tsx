import { Facts } from '../../parts/facts.tsx'
import { readable, readableName } from './readable.ts'

/** The facts that a signal rests on. */
export const Evidence = ({ evidence }: { evidence: Record<string, unknown> }) => {
  const facts = Object.entries(evidence)
  if (facts.length === 0) return null
  return (
    <Facts facts={facts.map(([name, value]) => ({ name: readableName(name), value: readable(value) }))} />
  )
}
