import { Group, Text } from '@mantine/core'
import { CopyText } from '../../parts/copy-text.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { Section } from '../../parts/section.tsx'

/** What came in, as it is kept for scoring again. */
export const Snapshot = ({ snapshot }: { snapshot: Record<string, unknown> | null }) => (
  <Section title="Raw snapshot">
    {snapshot === null ? (
      <Text size="sm">It is not kept.</Text>
    ) : (
      <>
        <Group gap={4}>
          <Text size="sm" className="dim">
            Everything that this visit was scored by
          </Text>
          <CopyText value={JSON.stringify(snapshot, null, 2)} what="the snapshot" />
        </Group>
        <JsonTree value={snapshot} openLevels={0} />
      </>
    )}
  </Section>
)
