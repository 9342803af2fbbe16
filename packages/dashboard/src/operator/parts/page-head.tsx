import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageHeadProps {
  title: string
  /** One sentence on what the page is for. */
  about?: ReactNode
  /** Controls of the whole page. */
  children?: ReactNode
}

export function PageHead({ title, about, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Inkling`
  }, [title])
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Stack gap={2} miw={0}>
        <Title order={1} size="h3">
          {title}
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
