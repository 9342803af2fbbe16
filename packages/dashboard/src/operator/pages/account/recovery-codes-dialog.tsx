import { Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { CopyIcon } from '../../parts/code.tsx'

interface RecoveryCodesDialogProps {
  /** Empty while there is nothing to show. */
  codes: readonly string[]
  close(): void
}

/** Recovery codes, shown once: they are stored as hashes. */
export const RecoveryCodesDialog = ({ codes, close }: RecoveryCodesDialogProps) => (
  <Modal
    opened={codes.length > 0}
    onClose={close}
    title="Recovery codes"
    centered
    // Neither a click outside nor Escape may lose what is shown only once.
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
  >
    <Stack>
      <Text size="sm">
        Keep them where your phone is not, such as in a password manager or on paper. They are not shown
        again.
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {codes.map((code) => (
          <code key={code}>{code}</code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <CopyIcon value={codes.join('\n')} what="the recovery codes" />
        <Button onClick={close} data-autofocus>
          I have kept them
        </Button>
      </Group>
    </Stack>
  </Modal>
)
