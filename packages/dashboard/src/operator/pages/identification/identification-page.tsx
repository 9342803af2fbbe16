import type { IdentificationDetail } from '@inkling/contract/account'
import { SimpleGrid, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../../api/use-api.ts'
import { Answered } from '../../parts/answered.tsx'
import { ScoreBadge } from '../../parts/band.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { Events } from './events.tsx'
import { Identifiers } from './identifiers.tsx'
import { Identity } from './identity.tsx'
import { Network } from './network.tsx'
import { Snapshot } from './snapshot.tsx'
import { UnraisedSignals } from './unraised-signals.tsx'
import { Versions } from './versions.tsx'
import { Visit } from './visit.tsx'
import { Waterfall } from './waterfall.tsx'

const route = getRouteApi('/signed-in/d/$domain/identifications/$requestId')

export function IdentificationPage() {
  const { domain, requestId } = route.useParams()
  const query = useAnswer('getIdentification', { params: { domain, request_id: requestId } })
  return <Answered query={query}>{(detail) => <Detail detail={detail} />}</Answered>
}

const Detail = ({ detail }: { detail: IdentificationDetail }) => (
  <Stack gap="md">
    <PageHead
      title="Identification"
      about={
        <>
          {detail.row.domain}, <Time at={detail.row.created_at} />
        </>
      }
    >
      <ScoreBadge score={detail.row.score} size="xl" />
    </PageHead>

    <Waterfall score={detail.row.score} entries={detail.explanation.entries} />

    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Identifiers row={detail.row} />
      <Visit row={detail.row} />
      <UnraisedSignals clear={detail.explanation.clear} unknown={detail.explanation.unknown} />
      <Identity identity={detail.explanation.identity} />
    </SimpleGrid>
    <Network network={detail.explanation.network} row={detail.row} />
    <Versions versions={detail.versions} />
    <Events deliveries={detail.deliveries} pending={detail.pending} />
    <Snapshot snapshot={detail.snapshot} />
  </Stack>
)
