import { Box, Group, Paper, Text } from '@mantine/core'
import { CopyText } from './copy-text.tsx'

interface CodeBlockProps {
  title: string
  code: string
}

/** Text to copy as it stands. */
export const CodeBlock = ({ title, code }: CodeBlockProps) => (
  <Paper withBorder>
    <Group justify="space-between" px="sm" py={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <CopyText value={code} what={title} />
    </Group>
    <Box
      component="pre"
      m={0}
      px="sm"
      pb="sm"
      fz="xs"
      role="region"
      aria-label={title}
      tabIndex={0}
      style={{ overflow: 'auto', maxHeight: 480 }}
    >
      <code>{code}</code>
    </Box>
  </Paper>
)
