import { type BackTestReport, SCORED_BANDS, type SignalRule } from '@inkling/contract/account'
import { Anchor, Group, ScrollArea, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BAND_LABELS, ScoreBadge } from '../../parts/band.tsx'
import { Time } from '../../parts/time.tsx'

interface OutcomeProps {
  report: BackTestReport
  domain: string
  signals: readonly SignalRule[]
}

/** What other weights would have made of stored visits. */
export const BackTestOutcome = ({ report, domain, signals }: OutcomeProps) => (
  <Stack gap="md">
    <Text fw={600}>
      {report.changed.toLocaleString()} of {report.identifications.toLocaleString()} visits would be scored
      otherwise.
    </Text>
    <Matrix matrix={report.matrix} />
    {report.signals.length > 0 && <SignalDifferences report={report} signals={signals} />}
    {report.samples.length > 0 && <Samples report={report} domain={domain} />}
  </Stack>
)

const Wide = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <Title order={3} size="h6" mb={4}>
      {title}
    </Title>
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': title }}>{children}</ScrollArea>
  </div>
)

const Matrix = ({ matrix }: Pick<BackTestReport, 'matrix'>) => (
  <Wide title="Bands, before and after">
    <Table miw={460} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Was</Table.Th>
          {SCORED_BANDS.map((band) => (
            <Table.Th key={band} scope="col" ta="right">
              would be {BAND_LABELS[band].toLowerCase()}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {SCORED_BANDS.map((before) => (
          <Table.Tr key={before}>
            <Table.Th scope="row">{BAND_LABELS[before]}</Table.Th>
            {SCORED_BANDS.map((after) => (
              <Table.Td key={after} ta="right" fw={before !== after && matrix[before][after] > 0 ? 700 : 400}>
                {matrix[before][after].toLocaleString()}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Wide>
)

const SignalDifferences = ({ report, signals }: Pick<OutcomeProps, 'report' | 'signals'>) => (
  <Wide title="Signals that would add other points">
    <Table miw={460} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Signal</Table.Th>
          <Table.Th scope="col" ta="right">
            Counted in
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Would count in
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Points, all together
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {report.signals.map(({ name, before, after }) => (
          <Table.Tr key={name}>
            <Table.Td>{signals.find((signal) => signal.name === name)?.title ?? name}</Table.Td>
            <Table.Td ta="right">{before.hits.toLocaleString()}</Table.Td>
            <Table.Td ta="right">{after.hits.toLocaleString()}</Table.Td>
            <Table.Td ta="right">{difference(after.points - before.points)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Wide>
)

const difference = (points: number): string => `${points > 0 ? '+' : ''}${points.toLocaleString()}`

const Samples = ({ report, domain }: Pick<OutcomeProps, 'report' | 'domain'>) => (
  <Wide title="Some visits that would change their band">
    <Table miw={460} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Visit</Table.Th>
          <Table.Th scope="col">When</Table.Th>
          <Table.Th scope="col">Score</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {report.samples.map(({ request_id: requestId, at, score }) => (
          <Table.Tr key={requestId}>
            <Table.Td>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/d/$domain/identifications/$requestId"
                    params={{ domain, requestId }}
                    target="_blank"
                  />
                )}
              >
                <code>{requestId.slice(0, 8)}</code>
              </Anchor>
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
      </Table.Tbody>
    </Table>
  </Wide>
)
