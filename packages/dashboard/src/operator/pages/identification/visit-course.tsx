import type { Explanation } from '@inkling/contract'
import type { Delivery, IdentificationVersion } from '@inkling/contract/account'
import { Text, Timeline } from '@mantine/core'
import { useApiQuery } from '../../api/use-api.ts'
import { Time } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { momentsOf } from './visit-moments.ts'

interface VisitCourseProps {
  domain: string
  requestId: string
  edge: Explanation['edge']
  versions: readonly IdentificationVersion[]
  deliveries: readonly Delivery[]
}

/** What happened in the course of the visit, in its order. */
export function VisitCourse({ domain, requestId, ...course }: VisitCourseProps) {
  const { data } = useApiQuery('listDecisions', { params: { domain }, query: { request_id: requestId } })
  const moments = momentsOf({ ...course, decisions: data?.data ?? [] })
  return (
    <Section title="Timeline of this visit">
      <Timeline bulletSize={10} lineWidth={2} active={moments.length}>
        {moments.map(({ atMs, what, detail }) => (
          <Timeline.Item key={`${atMs} ${what}`} title={what}>
            <Text size="sm" className="dim">
              <Time at={atMs} />
              {detail !== '' && `: ${detail}`}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}
