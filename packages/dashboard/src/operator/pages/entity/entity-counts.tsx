import { type EntitySummary, LINKED_VALUES_MAX, type LinkedValue } from '@inkling/contract/account'
import { countText, Time } from '../../parts/format.tsx'

/** An entity is read up to a number of visits, and of linked values the first ones: neither is called a total then. */
export const readVisits = ({ complete, identifications }: EntitySummary): string =>
  complete ? countText(identifications) : `the latest ${countText(identifications)}`

export const linkedCount = (values: readonly LinkedValue[]): string =>
  values.length < LINKED_VALUES_MAX ? String(values.length) : `at least ${LINKED_VALUES_MAX}`

export const FirstSeen = ({ complete, first_seen_at }: EntitySummary) => (
  <>
    {!complete && 'before '}
    <Time at={first_seen_at} />
  </>
)
