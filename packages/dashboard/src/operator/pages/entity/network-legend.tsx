import { Box, Group, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import type { NodeType } from './entity-network.ts'
import { colorOf } from './network-looks.ts'

/** Which colour of the drawing means what. */
export function NetworkLegend({ kinds }: { kinds: readonly NodeType[] }) {
  const theme = useMantineTheme()
  const dark = useComputedColorScheme('light') === 'dark'
  return (
    <Group gap="sm" aria-label="Legend" role="group">
      {kinds.map((kind) => (
        <Group key={kind} gap={4}>
          <Box w={10} h={10} bg={colorOf(theme, dark, kind)} style={{ borderRadius: '50%' }} />
          <Text size="xs">{IDENTIFIER_LABELS[kind]}</Text>
        </Group>
      ))}
    </Group>
  )
}
