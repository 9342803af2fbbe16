import { SCORED_BANDS } from '@inkling/contract'
import type { BackTestReport, SignalRule } from '@inkling/contract/account'
import { Group, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScoreBadge } from '../../parts/badges.tsx'
import { countText, Time } from '../../parts/format.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'
import { VisitLink } from '../../parts/visit-link.tsx'

interface OutcomeProps {
  report: BackTestReport
  domain: string
  signals: readonly SignalRule[]
}

/** How the scores of stored visits would change. */
export const BackTestOutcome = ({ report, domain, signals }: OutcomeProps) => (
  <Stack gap="md">
    <Text fw={600}>
      The score of {countText(report.changed)} of {countText(report.identifications)} visits would change.
    </Text>
    <Matrix matrix={report.matrix} />
    {report.signals.length > 0 && <SignalDifferences report={report} signals={signals} />}
    {report.samples.length > 0 && <Samples report={report} domain={domain} />}
  </Stack>
)

interface OutcomeTableProps {
  title: string
  head: readonly string[]
  numeric?: readonly string[]
  children: ReactNode
}

const OutcomeTable = ({ title, children, ...columns }: OutcomeTableProps) => (
  <div>
    <Title order={3} size="h6" mb={4}>
      {title}
    </Title>
    <ScrollTable label={title} miw={460} {...columns}>
      {children}
    </ScrollTable>
  </div>
)

const AFTER = SCORED_BANDS.map((band) => `To ${BAND_LABELS[band].toLowerCase()}`)

const Matrix = ({ matrix }: Pick<BackTestReport, 'matrix'>) => (
  <OutcomeTable title="Changes of band" head={['From', ...AFTER]} numeric={AFTER}>
    {SCORED_BANDS.map((before) => (
      <Table.Tr key={before}>
        <Table.Th scope="row">{BAND_LABELS[before]}</Table.Th>
        {SCORED_BANDS.map((after) => (
          <Table.Td key={after} ta="right" fw={before !== after && matrix[before][after] > 0 ? 700 : 400}>
            {countText(matrix[before][after])}
          </Table.Td>
        ))}
      </Table.Tr>
    ))}
  </OutcomeTable>
)

const DIFFERENCES = ['Counted before', 'Counted after', 'Change in points']

const SignalDifferences = ({ report, signals }: Pick<OutcomeProps, 'report' | 'signals'>) => (
  <OutcomeTable
    title="Signals that would add more or fewer points"
    head={['Signal', ...DIFFERENCES]}
    numeric={DIFFERENCES}
  >
    {report.signals.map(({ name, before, after }) => (
      <Table.Tr key={name}>
        <Table.Td>{signals.find((signal) => signal.name === name)?.title ?? name}</Table.Td>
        <Table.Td ta="right">{countText(before.hits)}</Table.Td>
        <Table.Td ta="right">{countText(after.hits)}</Table.Td>
        <Table.Td ta="right">{difference(after.points - before.points)}</Table.Td>
      </Table.Tr>
    ))}
  </OutcomeTable>
)

const difference = (points: number): string => `${points > 0 ? '+' : ''}${countText(points)}`

const Samples = ({ report, domain }: Pick<OutcomeProps, 'report' | 'domain'>) => (
  <OutcomeTable title="Examples of visits that would change band" head={['Visit', 'Time', 'Score']}>
    {report.samples.map(({ request_id: requestId, at, score }) => (
      <Table.Tr key={requestId}>
        <Table.Td>
          <VisitLink size="sm" domain={domain} requestId={requestId} newTab>
            <code>{requestId.slice(0, 8)}</code>
          </VisitLink>
        </Table.Td>
        <Table.Td>
          <Time at={at} />
        </Table.Td>
        <Table.Td>
          <Group gap={6} wrap="nowrap">
            <ScoreBadge score={score.before} />→<ScoreBadge score={score.after} />
          </Group>
        </Table.Td>
      </Table.Tr>
    ))}
  </OutcomeTable>
)
