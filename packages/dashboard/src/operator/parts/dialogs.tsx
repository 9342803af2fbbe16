import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CopyIcon } from './code.tsx'
import { ErrorAlert } from './feedback.tsx'
import { Icon } from './icon.tsx'

/** Of a button that destroys something. White text on the red of the light theme has too little contrast. */
export const DANGER = 'red.8'

interface FormDialogProps {
  opened: boolean
  close(): void
  title: string
  submit(event: FormEvent<HTMLFormElement>): void
  /** The submit button; the button beside it cancels. */
  button: ReactNode
  children: ReactNode
}

/** A dialog with fields, a button that submits and one that cancels. */
export const FormDialog = ({ opened, close, title, submit, button, children }: FormDialogProps) => (
  <Modal opened={opened} onClose={close} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit(event)
      }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {button}
        </Group>
      </Stack>
    </form>
  </Modal>
)

interface AddDialogProps {
  /** Such as `Add a domain`: the text of the button and the title of the dialog. */
  title: string
  /** As `useDisclosure` returns it. */
  disclosure: readonly [boolean, { open(): void; close(): void }]
  mutation: { error: Error | null; isPending: boolean; reset(): void }
  submit(event: FormEvent<HTMLFormElement>): void
  /** The text of the button that submits, where it is not `Add`. */
  action?: string
  /** For a button that is not the main one of its page. */
  quiet?: boolean
  /** The fields. */
  children: ReactNode
}

/** A button that opens a dialog in which something is added. */
export function AddDialog({
  title,
  disclosure,
  mutation,
  submit,
  action = 'Add',
  quiet = false,
  children,
}: AddDialogProps) {
  const [opened, { open, close }] = disclosure
  return (
    <>
      <Button
        leftSection={<Icon name="plus" size={16} />}
        onClick={() => {
          // What went wrong the last time says nothing about what is added now.
          mutation.reset()
          open()
        }}
        {...(quiet && { variant: 'default' })}
      >
        {title}
      </Button>
      <FormDialog
        opened={opened}
        close={close}
        title={title}
        submit={submit}
        button={
          <Button type="submit" loading={mutation.isPending}>
            {action}
          </Button>
        }
      >
        {mutation.error && <ErrorAlert error={mutation.error} />}
        {children}
      </FormDialog>
    </>
  )
}

interface ConfirmDialogProps {
  opened: boolean
  close(): void
  title: string
  children: ReactNode
  /** The text of the button that confirms. */
  action: string
  confirm(): Promise<unknown>
  /** A text that has to be typed first, where the action cannot be undone. */
  typed?: string
  /** While what it asks about is not known, nothing can be confirmed. */
  waits?: boolean
}

/** Asks before something that other people would notice. */
export function ConfirmDialog({
  opened,
  close,
  title,
  children,
  action,
  confirm,
  typed,
  waits = false,
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const ready = !waits && (typed === undefined || text === typed)
  const leave = (): void => {
    setText('')
    close()
  }

  async function submit(): Promise<void> {
    if (!ready) return
    setBusy(true)
    await confirm()
    setBusy(false)
    leave()
  }

  return (
    <FormDialog
      opened={opened}
      close={leave}
      title={title}
      submit={() => void submit()}
      button={
        <Button type="submit" color={DANGER} loading={busy} disabled={!ready}>
          {action}
        </Button>
      }
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      {typed !== undefined && (
        <TextInput
          label={`Type ${typed} to confirm`}
          value={text}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

interface Secret {
  name: string
  value: string
}

interface SecretsDialogProps {
  /** Undefined while there is nothing to show. */
  secrets: readonly Secret[] | undefined
  title: string
  about: ReactNode
  close(): void
}

/** New secrets, shown once: they are stored hashed or encrypted, so nobody can read them again. */
export const SecretsDialog = ({ secrets, title, about, close }: SecretsDialogProps) => (
  <Modal
    opened={secrets !== undefined}
    onClose={close}
    title={title}
    centered
    size="lg"
    // Neither a click outside nor Escape may lose what is shown only once.
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
  >
    <Stack>
      <Text size="sm">{about}</Text>
      {secrets?.map(({ name, value }) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Group gap={4} wrap="nowrap">
            <code>{value}</code>
            <CopyIcon value={value} what={name} />
          </Group>
        </div>
      ))}
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          I have copied {secrets?.length === 1 ? 'it' : 'them'}
        </Button>
      </Group>
    </Stack>
  </Modal>
)
