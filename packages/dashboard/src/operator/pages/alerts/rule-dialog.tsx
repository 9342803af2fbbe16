import { ALERT_SOURCES, type AlertChannel, type AlertRule, type AlertSource } from '@inkling/contract/account'
import { Button, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { FormDialog } from '../../parts/dialogs.tsx'
import { ErrorAlert } from '../../parts/feedback.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { conditionOf, type DraftCondition, FIRST_CONDITIONS, SOURCE_LABELS } from './rule-words.ts'

interface RuleDialogProps {
  domain: string
  /** The rule to change; undefined for a new one. */
  rule: AlertRule | undefined
  channels: readonly AlertChannel[]
  close(): void
}

const GROUP_MINUTES = 60
const NAME_MAX = 80

/** Adds or changes a rule. It is mounted anew each time it opens, so that it begins with the rule. */
export function RuleDialog({ domain, rule, channels, close }: RuleDialogProps) {
  const [name, setName] = useState(rule?.name ?? '')
  const [when, setWhen] = useState<DraftCondition>(rule?.when ?? FIRST_CONDITIONS.finding)
  const [chosen, setChosen] = useState<string[]>((rule?.channels ?? []).map(String))
  const [minutes, setMinutes] = useState<number | string>(rule?.group_minutes ?? GROUP_MINUTES)
  const add = useApiMutation('addAlertRule', ['listAlertRules'])
  const change = useApiMutation('changeAlertRule', ['listAlertRules', 'listAlerts'])
  const error = add.error ?? change.error

  function submit(): void {
    const body = {
      name: name.trim(),
      when: conditionOf(when),
      channels: chosen.map(Number),
      group_minutes: Number(minutes),
    }
    if (rule) change.mutate({ params: { domain, alert_rule_id: rule.id }, body }, { onSuccess: close })
    else add.mutate({ params: { domain }, body }, { onSuccess: close })
  }

  return (
    <FormDialog
      opened
      close={close}
      title={rule ? 'Change the rule' : 'Add a rule'}
      submit={submit}
      button={
        <Button type="submit" loading={add.isPending || change.isPending}>
          {rule ? 'Save' : 'Add'}
        </Button>
      }
    >
      {error && <ErrorAlert error={error} />}
      <TextInput
        label="Name"
        description="The title of its messages."
        value={name}
        maxLength={NAME_MAX}
        required
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Watches"
        data={ALERT_SOURCES.map((value) => ({ value, label: SOURCE_LABELS[value] }))}
        value={when.source}
        allowDeselect={false}
        onChange={(source) => setWhen(FIRST_CONDITIONS[(source as AlertSource | null) ?? when.source])}
      />
      <ConditionFields domain={domain} when={when} set={setWhen} />
      <MultiSelect
        label="Sends to"
        description={
          channels.length === 0 ? 'Add a channel first; until then alerts are only listed here.' : undefined
        }
        placeholder={chosen.length === 0 ? 'no channel' : ''}
        data={channels.map((channel) => ({ value: String(channel.id), label: channel.name }))}
        value={chosen}
        onChange={setChosen}
      />
      <NumberInput
        label="Minutes to group"
        description="After a message, what follows within this time is sent as one summary."
        value={minutes}
        min={1}
        max={1440}
        allowDecimal={false}
        required
        onChange={setMinutes}
      />
    </FormDialog>
  )
}
