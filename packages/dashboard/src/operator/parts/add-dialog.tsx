import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'

interface AddDialogProps {
  /** Such as `Add a domain`: of the button that opens it, and of the dialog. */
  title: string
  /** As `useDisclosure` gives it. */
  disclosure: readonly [boolean, { open(): void; close(): void }]
  /** As `useChange` gives it. */
  change: { error: Error | null; isPending: boolean }
  submit(event: FormEvent<HTMLFormElement>): void
  /** The fields. */
  children: ReactNode
}

/** A button, and the dialog it opens, in which something is added. */
export function AddDialog({ title, disclosure, change, submit, children }: AddDialogProps) {
  const [opened, { open, close }] = disclosure
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {title}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            submit(event)
          }}
        >
          <Stack>
            {change.error && <Failed error={change.error} />}
            {children}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={change.isPending}>
                Add
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
