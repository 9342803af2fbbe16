import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

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
