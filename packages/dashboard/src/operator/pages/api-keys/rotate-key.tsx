import type { ApiKey, MadeApiKey } from '@inkling/contract/account'
import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { FormDialog } from '../../parts/dialogs.tsx'
import { ErrorAlert } from '../../parts/feedback.tsx'
import { keyStates } from './key-states.ts'

const OVERLAPS = [
  { value: '0', label: 'not at all, as after a theft' },
  { value: '1', label: 'for an hour' },
  { value: '24', label: 'for a day' },
  { value: '168', label: 'for a week' },
  { value: '720', label: 'for thirty days' },
]

interface RotateKeyProps {
  domain: string
  apiKey: ApiKey
  show(made: MadeApiKey): void
}

export function RotateKey(props: RotateKeyProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`Rotate ${props.apiKey.name}`}
        onClick={() => setAsking(true)}
      >
        Rotate
      </Button>
      {asking && <RotateDialog {...props} close={() => setAsking(false)} />}
    </>
  )
}

/** A key that has expired needs a new end, and its old form is not valid again. */
function RotateDialog({ domain, apiKey, show, close }: RotateKeyProps & { close(): void }) {
  const hasExpired = keyStates(apiKey, Date.now())[0] === 'expired'
  const [hours, setHours] = useState(hasExpired ? '0' : '24')
  const [until, setUntil] = useState('')
  const rotate = useApiMutation('rotateApiKey', ['listApiKeys'])

  function submit(): void {
    const typed = until === '' ? undefined : new Date(until).toISOString()
    const expires_at = hasExpired ? (typed ?? null) : typed
    const body = { overlap_hours: Number(hours), ...(expires_at !== undefined && { expires_at }) }
    // Also once this dialog is closed: the old key may be dead, and the new one is shown only now.
    rotate.mutateAsync({ params: { domain, key_id: apiKey.id }, body }).then(
      (made) => {
        close()
        show(made)
      },
      // The dialog says it.
      () => undefined,
    )
  }

  return (
    <FormDialog
      opened
      close={close}
      title={`Rotate ${apiKey.name}`}
      submit={submit}
      button={
        <Button type="submit" loading={rotate.isPending}>
          Rotate
        </Button>
      }
    >
      {rotate.error && <ErrorAlert error={rotate.error} />}
      {!hasExpired && (
        <Select
          label="The old key stays valid"
          description="Time to give your program the new one. A key before the old one ends now."
          data={OVERLAPS}
          value={hours}
          allowDeselect={false}
          data-autofocus
          onChange={(chosen) => setHours(chosen ?? hours)}
        />
      )}
      <TextInput
        label="Until"
        description={
          hasExpired || apiKey.expires_at === null
            ? 'In your time zone. Without it the new key works until it is revoked.'
            : 'In your time zone. Without it the new key ends when the old one would have.'
        }
        type="datetime-local"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
