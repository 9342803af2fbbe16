import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'

interface ConfirmProps {
  opened: boolean
  close(): void
  title: string
  children: ReactNode
  /** What the button says. */
  action: string
  confirm(): Promise<unknown>
  /** Has to be typed first, where nothing brings back what is lost. */
  typed?: string
}

/** Asks before something that somebody would notice. */
export function Confirm({ opened, close, title, children, action, confirm, typed }: ConfirmProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const leave = (): void => {
    setText('')
    close()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (typed !== undefined && text !== typed) return
    setBusy(true)
    await confirm()
    setBusy(false)
    leave()
  }

  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to go on`}
              value={text}
              autoComplete="off"
              data-autofocus
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={busy} disabled={typed !== undefined && text !== typed}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
