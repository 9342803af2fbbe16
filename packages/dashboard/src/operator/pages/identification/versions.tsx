import type { IdentificationVersion } from '@inkling/contract/account'
import { ScrollArea, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScoreBadge, Tag } from '../../parts/badges.tsx'
import { countedText, Time, words } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'

/** How the identification was refined, one column per version. */
export const Versions = ({ versions }: { versions: readonly IdentificationVersion[] }) => (
  <Section
    title="Versions"
    about={
      versions.length === 1
        ? 'There is only one version.'
        : 'Evidence that arrived later refined the first version; the last one is current.'
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
          {ROWS.map(({ title, show, compared }) => (
            <Table.Tr key={title}>
              <Table.Th scope="row">{title}</Table.Th>
              {versions.map((version, index) => (
                <Table.Td key={version.ver} valign="top">
                  {show(version)}
                  {compared && isChanged(compared, versions[index - 1], version) && <Tag>changed</Tag>}
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
  /** What is compared between versions; without it nothing is marked as changed. */
  compared?(version: IdentificationVersion): unknown
}

const ROWS: readonly Row[] = [
  { title: 'ver', show: ({ ver }) => <code>{ver}</code> },
  { title: 'Score', show: ({ score }) => <ScoreBadge score={score} />, compared: ({ score }) => score },
  { title: 'Weights', show: ({ rules }) => weightsOf(rules), compared: ({ rules }) => rules },
  {
    title: 'Connection',
    show: ({ connection_type }) => words(connection_type),
    compared: ({ connection_type }) => connection_type,
  },
  {
    title: 'Signals',
    show: (version) => <Lines lines={entryLines(version)} />,
    compared: entryLines,
  },
  {
    title: 'Flags',
    show: ({ flags }) => <Lines lines={flags.map((flag) => words(flag))} />,
    compared: ({ flags }) => flags,
  },
  {
    title: 'Clear',
    show: ({ clear }) => countedText(clear.length, 'signal'),
    compared: ({ clear }) => clear,
  },
  {
    title: 'Unknown',
    show: ({ unknown }) => <Lines lines={unknown.map((name) => words(name))} />,
    compared: ({ unknown }) => unknown,
  },
]

function isChanged(
  compared: (version: IdentificationVersion) => unknown,
  before: IdentificationVersion | undefined,
  now: IdentificationVersion,
): boolean {
  return before !== undefined && JSON.stringify(compared(before)) !== JSON.stringify(compared(now))
}

function entryLines({ entries }: IdentificationVersion): string[] {
  return entries.map(({ title, value, suppressed_by }) =>
    suppressed_by === undefined ? `${title} ${value > 0 ? '+' : ''}${value}` : `${title}, not counted`,
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
  if (rules === null) return 'release defaults'
  return rules === 'file' ? 'rules file' : `version ${rules}`
}
