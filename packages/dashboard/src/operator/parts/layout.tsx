import { Group, Paper, ScrollArea, Stack, Table, type TableProps, Text, Title } from '@mantine/core'
import { useMatches } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import classes from './layout.module.css'

interface PageHeadProps {
  /** The title in the list of pages, unless it depends on the data. */
  title?: string
  /** One sentence on what the page is for. */
  about?: ReactNode
  /** Controls that apply to the whole page. */
  children?: ReactNode
}

/** The heading of a page, which also names the browser tab. */
export function PageHead({ title, about, children }: PageHeadProps) {
  const listed = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  const shown = title ?? listed ?? ''
  useEffect(() => {
    document.title = `${shown} · Inkling`
  }, [shown])
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Stack gap={2} miw={0}>
        <Title order={1} size="h3">
          {shown}
        </Title>
        {about && (
          <Text size="sm" className="dim">
            {about}
          </Text>
        )}
      </Stack>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  )
}

interface SectionProps {
  title: string
  about?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export const Section = ({ title, about, children }: SectionProps) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Stack gap="sm">
      <div>
        <Title order={2} size="h5">
          {title}
        </Title>
        {about && (
          <Text size="sm" className="dim">
            {about}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  </Paper>
)

export interface Fact {
  name: string
  value: ReactNode
  /** Facts of its own, which stand below the name. */
  nested?: boolean
}

interface FactsProps {
  facts: readonly Fact[]
  /** For long names. */
  wide?: boolean
}

/** Names with their values, one below the other. */
export const Facts = ({ facts, wide = false }: FactsProps) => (
  <dl className={classes.facts} data-wide={wide || undefined}>
    {facts.map(({ name, value, nested = false }) => (
      <div key={name} className={classes.fact} data-nested={nested || undefined}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

interface ScrollTableProps extends TableProps {
  /** Names the area that scrolls sideways on a narrow screen. */
  label: string
  head: readonly string[]
  /** Those of `head` that stand above numbers. */
  numeric?: readonly string[]
  /** The rows. */
  children: ReactNode
}

/** A table that scrolls inside its own box, so that the page itself never scrolls sideways. */
export const ScrollTable = ({ label, head, numeric = [], children, ...table }: ScrollTableProps) => (
  // Focusable, so that the keyboard can scroll it.
  <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
    <Table verticalSpacing={6} {...table}>
      <Table.Thead>
        <Table.Tr>
          {head.map((title) => (
            <Table.Th key={title} scope="col" {...(numeric.includes(title) && { ta: 'right' })}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </ScrollArea>
)
