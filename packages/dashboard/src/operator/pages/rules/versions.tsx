import type { DomainRules, RulesVersion, SignalRule } from '@inkling/contract/account'
import { Badge, Button, Group, ScrollArea, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import type { Draft } from './use-draft.ts'

interface VersionsProps {
  domain: string
  rules: DomainRules
  draft: Draft
  isOwner: boolean
}

/** Every version that was saved, and the way back to it. */
export function Versions({ domain, rules, draft, isOwner }: VersionsProps) {
  const choose = useChange('chooseRules', ['getRules'])
  const [asked, setAsked] = useState<number | null>()
  const use = (version: number | null) =>
    attempt(`Visits are scored with ${nameOf(version)} from now on.`, () =>
      choose.mutateAsync({ params: { domain }, body: { version } }),
    )
  const controls = (version: number | null, load: () => void) =>
    isOwner && (
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
      about="“Load” puts weights into the table above, to be tried or changed; “Use” scores with them at once."
    >
      <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Versions of the weights' }}>
        <Table miw={640} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Version</Table.Th>
              <Table.Th>Saved</Table.Th>
              <Table.Th>Weights of its own</Table.Th>
              <Table.Th>Note</Table.Th>
              {isOwner && <Table.Th>Go back</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.versions.map((version) => (
              <Table.Tr key={version.version}>
                <Table.Td>
                  {version.version} {rules.active === version.version && <InUse />}
                </Table.Td>
                <Table.Td>
                  <Time at={version.saved_at} />
                  <Text size="xs" className="dim">
                    {version.actor}
                  </Text>
                </Table.Td>
                <Table.Td>{weightsText(version, rules.signals)}</Table.Td>
                <Table.Td>{version.note}</Table.Td>
                {isOwner && (
                  <Table.Td>{controls(version.version, () => draft.setAll(version.weights))}</Table.Td>
                )}
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Td>Release {rules.active === null && <InUse />}</Table.Td>
              <Table.Td colSpan={3}>The weights that come with the release</Table.Td>
              {isOwner && <Table.Td>{controls(null, () => draft.setAll({}))}</Table.Td>}
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </ScrollArea>
      <Confirm
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title={`Use ${nameOf(asked ?? null)}?`}
        action="Use"
        confirm={() => use(asked ?? null)}
      >
        Visits that come in are scored with them within a second. Stored visits keep their scores.
      </Confirm>
    </Section>
  )
}

const nameOf = (version: number | null): string =>
  version === null ? 'the weights of the release' : `the weights of version ${version}`

const InUse = () => (
  <Badge size="xs" variant="default" tt="none">
    in use
  </Badge>
)

function weightsText({ weights }: RulesVersion, signals: readonly SignalRule[]): string {
  const titles = new Map(signals.map(({ name, title }) => [name, title]))
  const texts = Object.entries(weights).map(([name, weight]) => `${titles.get(name) ?? name} ${weight}`)
  return texts.length === 0 ? 'none' : texts.join(', ')
}
