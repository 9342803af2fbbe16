import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyText } from './copy-text.tsx'

interface Secret {
  name: string
  value: string
}

interface ShownOnceProps {
  /** Undefined while there is nothing to show. */
  secrets: readonly Secret[] | undefined
  title: string
  about?: string
  close(): void
}

/** Secrets that are kept hashed or sealed, so that nobody can read them again. */
export const ShownOnce = ({ secrets, title, about, close }: ShownOnceProps) => (
  <Modal
    opened={secrets !== undefined}
    onClose={close}
    title={title}
    centered
    size="lg"
    // A click beside it must not lose what is shown only once.
    closeOnClickOutside={false}
    withCloseButton={false}
  >
    <Stack>
      <Text size="sm">{about ?? 'Copy them now: they are not shown again.'}</Text>
      {secrets?.map(({ name, value }) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Group gap={4} wrap="nowrap">
            <code>{value}</code>
            <CopyText value={value} what={name} />
          </Group>
        </div>
      ))}
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          I have copied it
        </Button>
      </Group>
    </Stack>
  </Modal>
)
