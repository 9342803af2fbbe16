import { Center, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyProps {
  title: string
  children?: ReactNode
}

/** Instead of a list without entries: why, and what to do. */
export const Empty = ({ title, children }: EmptyProps) => (
  <Center py="xl" px="md">
    <Stack gap="xs" align="center" maw={460} ta="center">
      <Text fw={600}>{title}</Text>
      <div className="dim">{children}</div>
    </Stack>
  </Center>
)
