import {
  AGENT_ACTIONS,
  AGENT_CATEGORIES,
  AGENT_PURPOSES,
  AGENT_STANDINGS,
  type AgentRule,
} from '@inkling/contract'
import type { AgentPolicy, KnownAgent } from '@inkling/contract/account'
import {
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { attempt, Loaded } from '../../parts/feedback.tsx'
import { words } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { WarnBeforeLeaving } from '../../parts/warn-before-leaving.tsx'

const named = (names: readonly string[]) => names.map((value) => ({ value, label: words(value) }))

/** What happens to requests of programs that say who they are. Their assessment answers with it. */
export function AgentRules({ domain }: { domain: string }) {
  const query = useApiQuery('getAgentPolicy', { params: { domain } })
  return (
    <Section
      title="Declared agents"
      about="What an assessment of a request says about agents. The first rule that applies decides; where none does, the score counts. Without an identity, allow and limit apply to verified agents only, deny and challenge to all."
    >
      <Loaded query={query}>
        {(policy) => <Rules key={`${domain} ${policy.versions.length}`} domain={domain} policy={policy} />}
      </Loaded>
    </Section>
  )
}

interface Draft {
  id: number
  rule: AgentRule
}

/** As the API takes it. */
const isPath = (path = '/'): boolean => /^\/[^*]*\*?$/.test(path)
const PER_MINUTE_MAX = 60_000
const isRate = (perMinute = 1): boolean =>
  Number.isInteger(perMinute) && perMinute >= 1 && perMinute <= PER_MINUTE_MAX
const isUsable = ({ path, per_minute: perMinute }: AgentRule): boolean => isPath(path) && isRate(perMinute)

let lastId = 0
const draftOf = (rule: AgentRule): Draft => {
  lastId += 1
  return { id: lastId, rule }
}

/** Remounted when another version comes into use, which discards the draft. */
function Rules({ domain, policy }: { domain: string; policy: AgentPolicy }) {
  const mayChange = useMay('rules:write')
  const save = useApiMutation('saveAgentPolicy', ['getAgentPolicy'])
  const [drafts, setDrafts] = useState(() => policy.rules.map(draftOf))
  const [note, setNote] = useState('')
  const rules = drafts.map(({ rule }) => rule)
  const isChanged = JSON.stringify(rules) !== JSON.stringify(policy.rules)
  const isValid = rules.every(isUsable)
  const change = (id: number, rule: AgentRule) =>
    setDrafts(drafts.map((draft) => (draft.id === id ? { id, rule } : draft)))
  const raise = (index: number) =>
    setDrafts(drafts.toSpliced(index - 1, 2, ...drafts.slice(index - 1, index + 1).reverse()))
  return (
    <Stack gap="sm">
      {drafts.length === 0 && <Text size="sm">There are no rules: the score alone counts.</Text>}
      {drafts.map(({ id, rule }, index) => (
        <Fieldset key={id} legend={`Rule ${index + 1}`} disabled={!mayChange}>
          <Conditions rule={rule} agents={policy.agents} change={(changed) => change(id, changed)} />
          {mayChange && (
            <Group gap="xs" mt="xs">
              {index > 0 && (
                <Button size="compact-sm" variant="default" onClick={() => raise(index)}>
                  Move up
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setDrafts(drafts.filter((draft) => draft.id !== id))}
              >
                Remove
              </Button>
            </Group>
          )}
        </Fieldset>
      ))}
      {mayChange && (
        <Group align="flex-end" gap="sm">
          <Button variant="default" onClick={() => setDrafts([...drafts, draftOf({ action: 'deny' })])}>
            Add a rule
          </Button>
          <TextInput
            label="Note for the versions of these rules"
            value={note}
            maxLength={500}
            onChange={(event) => setNote(event.currentTarget.value)}
            flex="1 1 240px"
          />
          <Button
            disabled={!isChanged || !isValid}
            loading={save.isPending}
            onClick={() =>
              void attempt('The rules for agents were saved and are now in use.', () =>
                save.mutateAsync({ params: { domain }, body: { rules, note } }),
              )
            }
          >
            Save rules
          </Button>
        </Group>
      )}
      <WarnBeforeLeaving isChanged={mayChange && isChanged} what="the rules for agents" />
    </Stack>
  )
}

interface ConditionsProps {
  rule: AgentRule
  agents: readonly KnownAgent[]
  change(rule: AgentRule): void
}

/** Keeps what is given only: an empty condition is none. */
function cleaned(rule: AgentRule): AgentRule {
  const { per_minute: perMinute = 60, ...rest } = rule
  const given = Object.entries(rest).filter(
    ([, value]) => value !== undefined && value !== '' && value.length > 0,
  )
  return {
    ...(Object.fromEntries(given) as AgentRule),
    ...(rule.action === 'limit' && { per_minute: perMinute }),
  }
}

/** What the catalogue offers, and what the rule has even where the catalogue lost it. */
const choices = (offered: readonly string[], chosen: string | undefined): string[] =>
  [...new Set([...offered, ...(chosen === undefined ? [] : [chosen])])].sort()

/** What lets an agent pass needs a proof, unless the rule says otherwise. */
const anyIdentity = ({ action }: AgentRule): string =>
  action === 'allow' || action === 'limit' ? 'verified' : 'any'

const Conditions = ({ rule, agents, change }: ConditionsProps) => {
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  const set = (part: Partial<Record<keyof AgentRule, unknown>>) =>
    change(cleaned({ ...rule, ...part } as AgentRule))
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Action"
        data={named(AGENT_ACTIONS)}
        value={rule.action}
        allowDeselect={false}
        onChange={(action) => set({ action: action ?? rule.action })}
        w={130}
      />
      {rule.action === 'limit' && (
        <NumberInput
          label="Requests in a minute"
          value={rule.per_minute ?? 60}
          min={1}
          max={PER_MINUTE_MAX}
          allowDecimal={false}
          error={isRate(rule.per_minute) ? undefined : `A whole number from 1 to ${PER_MINUTE_MAX}`}
          errorProps={{ role: 'alert' }}
          onChange={(value) => set({ per_minute: Number(value) })}
          w={150}
        />
      )}
      <MultiSelect
        label="Identity"
        placeholder={rule.identity ? '' : anyIdentity(rule)}
        data={named(AGENT_STANDINGS)}
        value={rule.identity ?? []}
        onChange={(identity) => set({ identity })}
        flex="1 1 160px"
      />
      <MultiSelect
        label="Kinds"
        placeholder={rule.category ? '' : 'any'}
        data={named(AGENT_CATEGORIES)}
        value={rule.category ?? []}
        onChange={(category) => set({ category })}
        flex="1 1 220px"
      />
      <Select
        label="Operator"
        placeholder="any"
        data={choices(
          agents.map(({ operator }) => operator),
          rule.operator,
        )}
        value={rule.operator ?? null}
        clearable
        onChange={(operator) => set({ operator: operator ?? undefined })}
        w={170}
      />
      <Select
        label="Agent"
        placeholder="any"
        data={choices([...names.keys()], rule.agent).map((value) => ({
          value,
          label: names.get(value) ?? value,
        }))}
        value={rule.agent ?? null}
        searchable
        clearable
        onChange={(agent) => set({ agent: agent ?? undefined })}
        w={170}
      />
      <Select
        label="Purpose"
        placeholder="any"
        data={named(AGENT_PURPOSES)}
        value={rule.purpose ?? null}
        clearable
        onChange={(purpose) => set({ purpose: purpose ?? undefined })}
        w={130}
      />
      <TextInput
        label="Path"
        placeholder="any, or such as /cart*"
        value={rule.path ?? ''}
        error={isPath(rule.path) ? undefined : 'Begins with a slash; * only at its end'}
        errorProps={{ role: 'alert' }}
        onChange={(event) => set({ path: event.currentTarget.value })}
        w={190}
      />
    </Group>
  )
}
