import type { Explanation, VelocityCounts } from '@inkling/contract'
import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../parts/layout.tsx'
import { VelocityTable } from '../../parts/velocity-table.tsx'

const SUBJECTS = {
  device: 'Device',
  visitor: 'Visitor',
  cookie: 'Cookie',
  account: 'Account',
  address: 'Address',
  prefix: 'Network',
} as const
type Subject = keyof typeof SUBJECTS

/** The counts right after the visit, of one of its identifiers at a time. */
export function VisitVelocity({ velocity = {} }: { velocity: Explanation['velocity'] }) {
  const [chosen, setChosen] = useState<Subject>('device')
  const known = (Object.keys(SUBJECTS) as Subject[]).flatMap((subject) => {
    const counts: VelocityCounts | undefined = velocity[subject]
    return counts ? [{ subject, counts }] : []
  })
  const shown = known.find(({ subject }) => subject === chosen) ?? known[0]
  return (
    <Section
      title="Velocity"
      about="How often each was seen up to this visit, itself included, and with how many others."
    >
      {shown === undefined ? (
        <Text size="sm">This visit was not counted.</Text>
      ) : (
        <>
          <SegmentedControl
            aria-label="Counted by"
            size="xs"
            data={known.map(({ subject }) => ({ value: subject, label: SUBJECTS[subject] }))}
            value={shown.subject}
            onChange={(next) => setChosen(next as Subject)}
            // On a phone they stand in two rows.
            style={{ flexWrap: 'wrap' }}
            w="fit-content"
            maw="100%"
          />
          <VelocityTable
            label={`Velocity of the ${SUBJECTS[shown.subject].toLowerCase()}`}
            counts={shown.counts}
          />
        </>
      )}
    </Section>
  )
}
