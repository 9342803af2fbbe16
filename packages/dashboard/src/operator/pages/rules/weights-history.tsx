import type { DomainRules, RulesVersion, SignalRule } from '@inkling/contract/account'
import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { Tag } from '../../parts/badges.tsx'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'
import type { Draft } from './draft.ts'

interface VersionsProps {
  domain: string
  rules: DomainRules
  draft: Draft
  mayChange: boolean
}

/** Every saved version, each of which can be used again. */
export function WeightsHistory({ domain, rules, draft, mayChange }: VersionsProps) {
  const choose = useApiMutation('chooseRules', ['getRules'])
  const [asked, setAsked] = useState<number | null>()
  const use = (version: number | null) =>
    attempt(`Visits are now scored with ${nameOf(version)}.`, () =>
      choose.mutateAsync({ params: { domain }, body: { version } }),
    )
  const controls = (version: number | null, load: () => void) =>
    mayChange && (
      <Group gap="xs" wrap="nowrap">
        <Button size="compact-sm" variant="default" onClick={load}>
          Load
        </Button>
        {rules.active !== version && (
          <Button size="compact-sm" variant="default" onClick={() => setAsked(version)}>
            Use
          </Button>
        )}
      </Group>
    )
  return (
    <Section
      title="History"
      about="“Load” copies a version into the list above, where you can test or change it. “Use” puts it into use immediately."
    >
      <ScrollTable
        label="Versions of the weights"
        // Actions second, so that they are in sight however narrow the window is.
        head={['Version', ...(mayChange ? ['Actions'] : []), 'Saved', 'Changed weights', 'Note']}
        miw={640}
      >
        {rules.versions.map((version) => (
          <Table.Tr key={version.version}>
            <Table.Td>
              {version.version} {rules.active === version.version && <Tag>in use</Tag>}
            </Table.Td>
            {mayChange && (
              <Table.Td>{controls(version.version, () => draft.setAll(version.weights))}</Table.Td>
            )}
            <Table.Td>
              <Time at={version.saved_at} />
              <Text size="xs" className="dim">
                {version.actor}
              </Text>
            </Table.Td>
            <Table.Td>{weightsText(version, rules.signals)}</Table.Td>
            <Table.Td>{version.note}</Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Td>Default {rules.active === null && <Tag>in use</Tag>}</Table.Td>
          {mayChange && <Table.Td>{controls(null, () => draft.setAll({}))}</Table.Td>}
          <Table.Td colSpan={3}>The weights that come with this release</Table.Td>
        </Table.Tr>
      </ScrollTable>
      <ConfirmDialog
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title={`Use ${nameOf(asked ?? null)}?`}
        action="Use"
        confirm={() => use(asked ?? null)}
      >
        New visits are scored with them within a second. Stored visits keep their scores.
      </ConfirmDialog>
    </Section>
  )
}

const nameOf = (version: number | null): string =>
  version === null ? 'the default weights' : `the weights of version ${version}`

function weightsText({ weights }: RulesVersion, signals: readonly SignalRule[]): string {
  const titles = new Map(signals.map(({ name, title }) => [name, title]))
  const texts = Object.entries(weights).map(([name, weight]) => `${titles.get(name) ?? name} ${weight}`)
  return texts.length === 0 ? 'none' : texts.join(', ')
}
