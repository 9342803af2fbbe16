import type { ComparedPart, DeviceComparison } from '@inkling/contract/account'
import { countText } from '../../parts/format.tsx'

/** `about once in 80 visits`. */
export const rateText = (rate: number): string =>
  rate >= 0.5 ? 'in most visits' : `about once in ${countText(roughly(1 / rate))} visits`

/** With one figure from ten on: more would claim to be exact. */
function roughly(count: number): number {
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(count)))
  return Math.round(count / scale) * scale
}

/** What the comparison says, in a sentence or two. */
export function comparisonText({ same_device, other_family, change_rate, parts }: DeviceComparison): string {
  if (same_device) return 'Both IDs are of one device: they were merged.'
  if (other_family)
    return 'They have different systems or browsers. Inkling never takes such devices for one: a person may have both.'
  if (change_rate === null)
    return 'Of at least one of them no snapshot is stored, so they cannot be compared.'
  const known = parts.filter(({ result }) => result !== 'unknown')
  if (!known.some(({ result }) => result === 'different'))
    return 'Nothing that is known of both differs. It is one machine that came back without its cookie, or two of one model with the same settings.'
  if (change_rate === 1)
    return 'They differ only in what people often change, such as settings or networks, and in nothing that tells machines apart.'
  return `A machine changes in all of these ways between two visits ${rateText(change_rate)}. The rarer that is, the likelier are two machines.`
}

/** What differs first, then what agrees, then what is not known. */
export function inOrder(parts: readonly ComparedPart[]): ComparedPart[] {
  const ORDER: readonly ComparedPart['result'][] = ['different', 'equal', 'unknown']
  return parts.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result))
}
