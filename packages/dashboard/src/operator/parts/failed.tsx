import { Alert, Button, Stack, Text } from '@mantine/core'
import { Icon } from './icon.tsx'

interface FailedProps {
  error: Error
  retry?: (() => void) | undefined
}

/** Instead of what could not be read, with the server's own words. */
export const Failed = ({ error, retry }: FailedProps) => (
  <Alert color="red" variant="light" icon={<Icon name="alert" />} title="This could not be done" role="alert">
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{error.message}</Text>
      {retry && (
        <Button size="xs" variant="default" onClick={() => retry()}>
          Try again
        </Button>
      )}
    </Stack>
  </Alert>
)
