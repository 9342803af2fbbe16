import {
  ALERT_CHANNEL_KINDS,
  type AlertChannel,
  type AlertChannelKind,
  type AlertChannelSettings,
} from '@inkling/contract/account'
import { Alert, Button, PasswordInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { FormDialog } from '../../parts/dialogs.tsx'
import { ErrorAlert } from '../../parts/feedback.tsx'
import { KIND_LABELS } from './rule-words.ts'

interface ChannelDialogProps {
  domain: string
  /** The channel to change; undefined for a new one. */
  channel: AlertChannel | undefined
  /** Whether this installation can send e-mail. */
  canMail: boolean
  close(): void
}

interface Draft {
  kind: AlertChannelKind
  addresses: string[]
  url: string
  routingKey: string
  region: 'us' | 'eu'
  secret: string
}

const URL_LABELS = {
  slack: 'URL of the incoming webhook',
  teams: 'URL of the workflow',
  webhook: 'URL',
} as const
const ADDRESSES_MAX = 10
const NAME_MAX = 80

/** Adds or changes a channel. What it sends to is never shown, so a change leaves it as it is or replaces it. */
export function ChannelDialog({ domain, channel, canMail, close }: ChannelDialogProps) {
  const [name, setName] = useState(channel?.name ?? '')
  const [draft, setDraft] = useState<Draft>({
    ...{ kind: channel?.kind ?? 'email', addresses: [], url: '', routingKey: '', region: 'us', secret: '' },
  })
  const add = useApiMutation('addAlertChannel', ['listAlertChannels'])
  const change = useApiMutation('changeAlertChannel', ['listAlertChannels', 'listAlerts'])
  const error = add.error ?? change.error
  const isKept = channel !== undefined && isBlank(draft) && draft.kind === channel.kind

  function submit(): void {
    const settings = settingsOf(draft)
    if (channel)
      change.mutate(
        {
          params: { domain, channel_id: channel.id },
          body: { name: name.trim(), ...(!isKept && { settings }) },
        },
        { onSuccess: close },
      )
    else add.mutate({ params: { domain }, body: { name: name.trim(), settings } }, { onSuccess: close })
  }

  return (
    <FormDialog
      opened
      close={close}
      title={channel ? 'Change the channel' : 'Add a channel'}
      submit={submit}
      button={
        <Button type="submit" loading={add.isPending || change.isPending}>
          {channel ? 'Save' : 'Add'}
        </Button>
      }
    >
      {error && <ErrorAlert error={error} />}
      <TextInput
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        required
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Kind"
        description={isKept ? `Sends to ${channel.target}. Leave the rest empty to keep that.` : undefined}
        data={ALERT_CHANNEL_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        value={draft.kind}
        allowDeselect={false}
        onChange={(kind) => setDraft({ ...draft, kind: (kind as AlertChannelKind | null) ?? draft.kind })}
      />
      {draft.kind === 'email' && !canMail && (
        <Alert color="orange" role="status">
          This installation sends no e-mail yet: set SMTP_URL and ALERT_MAIL_FROM.
        </Alert>
      )}
      <SettingsFields draft={draft} set={setDraft} isRequired={!isKept} />
    </FormDialog>
  )
}

const isBlank = ({ addresses, url, routingKey, secret }: Draft): boolean =>
  addresses.length === 0 && url === '' && routingKey === '' && secret === ''

function settingsOf({ kind, addresses, url, routingKey, region, secret }: Draft): AlertChannelSettings {
  if (kind === 'email') return { kind, addresses }
  if (kind === 'pagerduty') return { kind, routing_key: routingKey.trim(), region }
  if (kind === 'webhook') return { kind, url: url.trim(), ...(secret !== '' && { secret }) }
  return { kind, url: url.trim() }
}

interface SettingsFieldsProps {
  draft: Draft
  set(draft: Draft): void
  isRequired: boolean
}

function SettingsFields({ draft, set, isRequired }: SettingsFieldsProps) {
  if (draft.kind === 'email')
    return (
      <TagsInput
        label="Addresses"
        description="Press Enter after each."
        value={draft.addresses}
        maxTags={ADDRESSES_MAX}
        acceptValueOnBlur
        onChange={(addresses) => set({ ...draft, addresses })}
      />
    )
  if (draft.kind === 'pagerduty')
    return (
      <>
        <PasswordInput
          label="Integration key"
          description="Of an Events API v2 integration."
          value={draft.routingKey}
          required={isRequired}
          autoComplete="off"
          onChange={(event) => set({ ...draft, routingKey: event.currentTarget.value })}
        />
        <Select
          label="Service region"
          data={[
            { value: 'us', label: 'US' },
            { value: 'eu', label: 'EU' },
          ]}
          value={draft.region}
          allowDeselect={false}
          onChange={(region) => set({ ...draft, region: region === 'eu' ? region : 'us' })}
        />
      </>
    )
  return (
    <>
      <TextInput
        label={URL_LABELS[draft.kind]}
        value={draft.url}
        required={isRequired}
        autoComplete="off"
        onChange={(event) => set({ ...draft, url: event.currentTarget.value })}
      />
      {draft.kind === 'webhook' && (
        <PasswordInput
          label="Secret"
          description="Signs each body. Without one there is no signature."
          value={draft.secret}
          minLength={16}
          autoComplete="off"
          onChange={(event) => set({ ...draft, secret: event.currentTarget.value })}
        />
      )}
    </>
  )
}
