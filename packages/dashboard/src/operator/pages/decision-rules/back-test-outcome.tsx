import { BAND_NAMES, DECISION_ACTIONS } from '@inkling/contract'
import type { DecisionBackTestReport } from '@inkling/contract/account'
import { Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ACTION_LABELS, ActionBadge } from '../../parts/action-badge.tsx'
import { countText, shareText, Time } from '../../parts/format.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { ScrollTable } from '../../parts/layout.tsx'
import { BAND_LABELS } from '../../parts/score-words.ts'
import { VisitLink } from '../../parts/visit-link.tsx'

interface OutcomeProps {
  report: DecisionBackTestReport
  domain: string
}

/** What would be decided otherwise. */
export const DecisionBackTestOutcome = ({ report, domain }: OutcomeProps) => (
  <Stack gap="md">
    <Text fw={600}>
      {countText(report.changed)} of {countText(report.visits)} would be decided otherwise.
    </Text>
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Matrix matrix={report.matrix} />
      <Parts
        title="By band"
        parts={BAND_NAMES.map((band) => ({
          name: BAND_LABELS[band],
          ...(report.bands[band] ?? { visits: 0, changed: 0 }),
        }))}
      />
      {report.countries.length > 0 && (
        <Parts
          title="By country"
          parts={report.countries.map(({ country, ...counts }) => ({
            name: country ?? 'unknown',
            ...counts,
          }))}
        />
      )}
      {report.accounts.most.length > 0 && (
        <Parts
          title={`By account: ${countText(report.accounts.changed)} of ${countText(report.accounts.visits)} have a change`}
          parts={report.accounts.most.map(({ account, ...counts }) => ({
            name: account,
            shown: <Identifier type="user_hid" value={account} />,
            ...counts,
          }))}
        />
      )}
    </SimpleGrid>
    <Labels labels={report.labels} />
    {report.rules.length > 0 && <Rules rules={report.rules} />}
    {report.samples.length > 0 && <Samples samples={report.samples} domain={domain} />}
  </Stack>
)

interface OutcomeTableProps {
  title: string
  head: readonly string[]
  numeric?: readonly string[]
  miw?: number
  children: ReactNode
}

const OutcomeTable = ({ title, children, miw = 380, ...columns }: OutcomeTableProps) => (
  <div>
    <Title order={3} size="h6" mb={4}>
      {title}
    </Title>
    <ScrollTable label={title} miw={miw} verticalSpacing={3} {...columns}>
      {children}
    </ScrollTable>
  </div>
)

const AFTER = DECISION_ACTIONS.map((action) => `To ${ACTION_LABELS[action].toLowerCase()}`)

const Matrix = ({ matrix }: Pick<DecisionBackTestReport, 'matrix'>) => (
  <OutcomeTable title="Changes of action" head={['From', ...AFTER]} numeric={AFTER}>
    {DECISION_ACTIONS.map((before) => (
      <Table.Tr key={before}>
        <Table.Th scope="row">{ACTION_LABELS[before]}</Table.Th>
        {DECISION_ACTIONS.map((after) => {
          const count = matrix[before]?.[after] ?? 0
          return (
            <Table.Td key={after} ta="right" fw={before !== after && count > 0 ? 700 : 400}>
              {countText(count)}
            </Table.Td>
          )
        })}
      </Table.Tr>
    ))}
  </OutcomeTable>
)

interface Part {
  name: string
  shown?: ReactNode
  visits: number
  changed: number
}

const COUNTS = ['Asked', 'Otherwise']

const Parts = ({ title, parts }: { title: string; parts: readonly Part[] }) => (
  <OutcomeTable title={title} head={['Of', ...COUNTS]} numeric={COUNTS} miw={280}>
    {parts.map(({ name, shown = name, visits, changed }) => (
      <Table.Tr key={name}>
        <Table.Td>{shown}</Table.Td>
        <Table.Td ta="right">{countText(visits)}</Table.Td>
        <Table.Td ta="right" fw={changed > 0 ? 700 : 400}>
          {countText(changed)}
        </Table.Td>
      </Table.Tr>
    ))}
  </OutcomeTable>
)

type Share = DecisionBackTestReport['labels']['after']['precision']

const shareWithEnds = (share: Share): string =>
  share === null
    ? 'no label says'
    : `${shareText(share.value)} (${shareText(share.low)} to ${shareText(share.high)})`

const QUALITY = ['Fraud caught', 'Legitimate caught', 'Precision', 'Recall']

const Labels = ({ labels: { fraud, legitimate, before, after } }: Pick<DecisionBackTestReport, 'labels'>) =>
  fraud + legitimate === 0 ? (
    <Text size="sm" className="dim">
      None of them has a label of fraud or legitimate, so precision and recall are unknown.
    </Text>
  ) : (
    <OutcomeTable
      title={`Against labels: ${countText(fraud)} fraud, ${countText(legitimate)} legitimate`}
      head={['Decided', ...QUALITY]}
      numeric={QUALITY}
      miw={620}
    >
      {[
        { name: 'Now', quality: before },
        { name: 'By the test', quality: after },
      ].map(({ name, quality }) => (
        <Table.Tr key={name}>
          <Table.Th scope="row">{name}</Table.Th>
          <Table.Td ta="right">{countText(quality.caught_fraud)}</Table.Td>
          <Table.Td ta="right">{countText(quality.caught_legitimate)}</Table.Td>
          <Table.Td ta="right">{shareWithEnds(quality.precision)}</Table.Td>
          <Table.Td ta="right">{shareWithEnds(quality.recall)}</Table.Td>
        </Table.Tr>
      ))}
    </OutcomeTable>
  )

const RULE_COUNTS = ['Met', 'Failed']

const Rules = ({ rules }: Pick<DecisionBackTestReport, 'rules'>) => (
  <OutcomeTable
    title="Rules of the test"
    head={['Rule', ...RULE_COUNTS, 'Why it failed']}
    numeric={RULE_COUNTS}
  >
    {rules.map(({ rule, name, met, failed, message }) => (
      <Table.Tr key={`${rule} ${name}`}>
        <Table.Td>{name}</Table.Td>
        <Table.Td ta="right">{countText(met)}</Table.Td>
        <Table.Td ta="right">{countText(failed)}</Table.Td>
        <Table.Td>{message ?? ''}</Table.Td>
      </Table.Tr>
    ))}
  </OutcomeTable>
)

const Samples = ({ samples, domain }: Pick<DecisionBackTestReport, 'samples'> & { domain: string }) => (
  <OutcomeTable
    title="Examples"
    head={['Visit', 'Time', 'Score', 'Decided', 'Why']}
    numeric={['Score']}
    miw={700}
  >
    {samples.map(({ request_id: requestId, at, score, before, after, reasons }) => (
      <Table.Tr key={requestId}>
        <Table.Td>
          <VisitLink size="sm" domain={domain} requestId={requestId} newTab>
            <code>{requestId.slice(0, 8)}</code>
          </VisitLink>
        </Table.Td>
        <Table.Td>
          <Time at={at} />
        </Table.Td>
        <Table.Td ta="right">{score}</Table.Td>
        <Table.Td>
          <Group gap={6} wrap="nowrap">
            <ActionBadge action={before} />→<ActionBadge action={after} />
          </Group>
        </Table.Td>
        <Table.Td>{reasons.join('; ')}</Table.Td>
      </Table.Tr>
    ))}
  </OutcomeTable>
)
