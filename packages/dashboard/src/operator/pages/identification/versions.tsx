import type { IdentificationVersion } from '@inkling/contract/account'
import { Badge, ScrollArea, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScoreBadge } from '../../parts/band.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'

/** How the identification was refined, a column for each version. */
export const Versions = ({ versions }: { versions: readonly IdentificationVersion[] }) => (
  <Section
    title="Versions"
    about={
      versions.length === 1
        ? 'The first version is the current one.'
        : 'Evidence that came later refined the first version; the last one is current.'
    }
  >
    <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Versions side by side' }}>
      <Table withRowBorders verticalSpacing={6} miw={versions.length * 200 + 120}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Version</Table.Th>
            {versions.map(({ ver }) => (
              <Table.Th key={ver} scope="col">
                <Time at={ver} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ROWS.map(({ title, show, said }) => (
            <Table.Tr key={title}>
              <Table.Th scope="row">{title}</Table.Th>
              {versions.map((version, index) => (
                <Table.Td key={version.ver} valign="top">
                  {show(version)}
                  {said && isChanged(said, versions[index - 1], version) && <Changed />}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  </Section>
)

interface Row {
  title: string
  show(version: IdentificationVersion): ReactNode
  /** What two versions are compared by. */
  said?(version: IdentificationVersion): unknown
}

const ROWS: readonly Row[] = [
  { title: 'ver', show: ({ ver }) => <code>{ver}</code> },
  { title: 'Score', show: ({ score }) => <ScoreBadge score={score} />, said: ({ score }) => score },
  { title: 'Weights', show: ({ rules }) => weightsOf(rules), said: ({ rules }) => rules },
  {
    title: 'Connection',
    show: ({ connection_type }) => connection_type,
    said: ({ connection_type }) => connection_type,
  },
  {
    title: 'Signals',
    show: (version) => <Lines lines={entryLines(version)} />,
    said: entryLines,
  },
  {
    title: 'Flags',
    show: ({ flags }) => <Lines lines={flags.map((flag) => flag.replaceAll('_', ' '))} />,
    said: ({ flags }) => flags,
  },
  { title: 'Clear', show: ({ clear }) => `${clear.length} signals`, said: ({ clear }) => clear },
  {
    title: 'Unknown',
    show: ({ unknown }) => <Lines lines={unknown.map((name) => name.replaceAll('_', ' '))} />,
    said: ({ unknown }) => unknown,
  },
]

function isChanged(
  said: (version: IdentificationVersion) => unknown,
  before: IdentificationVersion | undefined,
  now: IdentificationVersion,
): boolean {
  return before !== undefined && JSON.stringify(said(before)) !== JSON.stringify(said(now))
}

const Changed = () => (
  <Badge size="xs" variant="default" tt="none" mt={4}>
    changed
  </Badge>
)

function entryLines({ entries }: IdentificationVersion): string[] {
  return entries.map(({ title, value, suppressed_by }) =>
    suppressed_by === undefined ? `${title} ${value > 0 ? '+' : ''}${value}` : `${title}, suppressed`,
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? (
    <span className="dim">none</span>
  ) : (
    lines.map((line) => (
      <Text key={line} size="sm">
        {line}
      </Text>
    ))
  )

function weightsOf(rules: IdentificationVersion['rules']): string {
  if (rules === null) return 'of the release'
  return rules === 'file' ? 'of a rules file' : `version ${rules} of the domain’s own`
}
