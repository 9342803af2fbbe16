import {
  DECISION_PURPOSES,
  type DecisionFields,
  type DecisionPurpose,
  DecisionFields as Fields,
  isUuid,
} from '@inkling/contract'
import type { TrialDecision } from '@inkling/contract/account'
import { Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ActionBadge } from '../../parts/action-badge.tsx'
import { Names, Tag } from '../../parts/badges.tsx'
import { JsonTree } from '../../parts/code.tsx'
import { ErrorAlert } from '../../parts/feedback.tsx'
import { Section } from '../../parts/layout.tsx'
import type { ruleTextOf } from './draft-rule.ts'
import { PURPOSE_LABELS } from './purposes.ts'

interface TryOutProps {
  domain: string
  about: string
  /** Decides alone; undefined for the rules of the domain, null while it is not complete. */
  rule?: ReturnType<typeof ruleTextOf> | null
}

/** Asks about one stored visit as a backend would. */
export function TryOut({ domain, about, rule }: TryOutProps) {
  const trial = useApiMutation('tryDecisionRules', [])
  const [requestId, setRequestId] = useState('')
  const [purpose, setPurpose] = useState<DecisionPurpose>('signup')
  const [account, setAccount] = useState('')
  const [json, setJson] = useState('')
  const id = requestId.trim()
  const fields = fieldsOf(json)
  const isReady = isUuid(id) && fields !== undefined && rule !== null
  const request = {
    params: { domain },
    body: {
      ...{ request_id: id, purpose, fields: fields ?? {} },
      ...(account.trim() !== '' && { account: account.trim() }),
      // It is tried whatever it is for.
      ...(rule && { rules: [{ ...textOf(rule), purposes: null }] }),
    },
  }
  const isOfThis = isReady && JSON.stringify(trial.variables) === JSON.stringify(request)

  return (
    <Section title="Try out" about={about}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) trial.mutate(request)
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Request ID"
            placeholder="of an identification"
            value={requestId}
            autoComplete="off"
            error={id !== '' && !isUuid(id) ? 'A UUID of 36 characters' : undefined}
            onChange={(event) => setRequestId(event.currentTarget.value)}
            flex="2 1 300px"
          />
          <Select
            label="Asked for"
            data={DECISION_PURPOSES.map((value) => ({ value, label: PURPOSE_LABELS[value] }))}
            value={purpose}
            allowDeselect={false}
            onChange={(next) => setPurpose((next as DecisionPurpose | null) ?? purpose)}
            w={140}
          />
          <TextInput
            label="Account"
            placeholder="that of the visit"
            value={account}
            autoComplete="off"
            onChange={(event) => setAccount(event.currentTarget.value)}
            flex="1 1 150px"
          />
          <TextInput
            label="Your own fields, as JSON"
            placeholder={'{"amount": 40}'}
            value={json}
            autoComplete="off"
            error={fields === undefined ? 'A flat JSON object' : undefined}
            onChange={(event) => setJson(event.currentTarget.value)}
            flex="1 1 200px"
          />
          <Button type="submit" variant="default" mt={25} disabled={!isReady} loading={trial.isPending}>
            Try
          </Button>
        </Group>
      </form>
      {isOfThis && trial.error && <ErrorAlert error={trial.error} />}
      {isOfThis && trial.data && <Outcome decision={trial.data} />}
    </Section>
  )
}

/** Undefined for what is no object of plain values. */
function fieldsOf(json: string): DecisionFields | undefined {
  if (json.trim() === '') return {}
  try {
    return Fields.parse(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** Without its number, because a rule that is tried has none. */
const textOf = ({ name, condition, effect, priority }: NonNullable<TryOutProps['rule']>) => ({
  name,
  condition,
  effect,
  priority,
})

const Outcome = ({
  decision: { action, points, reasons, met, failed, facts },
}: {
  decision: TrialDecision
}) => (
  <Stack gap={6} role="status" aria-label="Outcome">
    <Group gap="xs">
      <ActionBadge action={action} size="lg" />
      {points > 0 && <Text size="sm">decision score {points}</Text>}
    </Group>
    <List size="sm">
      {reasons.map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
    <Text size="sm" component="div">
      <span className="dim">Met: </span>
      <Names names={met.map(({ name, state }) => (state === 'shadow' ? `${name}, in shadow` : name))} />
    </Text>
    {failed.map(({ rule, name, message }) => (
      <Text key={`${rule} ${name}`} size="sm" component="div">
        <Tag>could not be evaluated</Tag> {name}: {message}
      </Text>
    ))}
    <Text size="sm" className="dim">
      What the rules saw
    </Text>
    <JsonTree value={facts} openLevels={0} />
  </Stack>
)
