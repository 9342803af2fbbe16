import type { DomainRules, SignalRule } from '@inkling/contract/account'
import { Box, Button, Divider, Group, NumberInput, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { Tag } from '../../parts/badges.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Marked } from '../../parts/format.tsx'
import { Section } from '../../parts/layout.tsx'
import { SignalLink } from '../../parts/signal-link.tsx'
import { type Draft, sameWeights } from './draft.ts'

interface WeightsProps {
  domain: string
  rules: DomainRules
  draft: Draft
  mayChange: boolean
}

/** The weights that score visits now, which an owner can change and save as a new version. */
export const Weights = ({ domain, rules, draft, mayChange }: WeightsProps) => (
  <Section
    title="Weights"
    about={`Visits are scored with ${rules.active === null ? 'the default weights' : `version ${rules.active}`}. A signal with weight 0 adds nothing, but is still reported.`}
  >
    <SignalList domain={domain} signals={rules.signals} draft={draft} mayChange={mayChange} />
    {mayChange && <SaveWeights domain={domain} draft={draft} />}
  </Section>
)

interface SignalListProps {
  domain: string
  signals: readonly SignalRule[]
  draft: Draft
  mayChange: boolean
}

/** The weight of each signal. On a narrow screen the controls wrap below the text. */
const SignalList = ({ domain, signals, draft, mayChange }: SignalListProps) => (
  <Box component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Signals">
    {signals.map((signal) => (
      <li key={signal.name}>
        <Divider />
        <Group py={8} gap="sm" justify="space-between">
          <Description domain={domain} signal={signal} weight={draft.of(signal)} />
          {signal.max === null ? (
            <Text size="sm" className="dim" w={270}>
              {signal.weight}, fixed: it corrects another signal
            </Text>
          ) : (
            <Controls signal={signal} max={signal.max} draft={draft} mayChange={mayChange} />
          )}
        </Group>
      </li>
    ))}
  </Box>
)

interface DescriptionProps {
  domain: string
  signal: SignalRule
  weight: number | ''
}

const Description = ({ domain, signal, weight }: DescriptionProps) => (
  <Box flex="1 1 280px">
    <Group gap="xs">
      <Text size="sm" fw={600}>
        <SignalLink domain={domain} name={signal.name}>
          {signal.title}
        </SignalLink>
      </Text>
      {signal.max !== null && weight !== signal.release_weight && <Tag>changed</Tag>}
    </Group>
    <Text size="xs" className="dim">
      <Marked text={signal.meaning} /> <code>{signal.name}</code>
    </Text>
  </Box>
)

interface ControlsProps extends Omit<SignalListProps, 'domain' | 'signals'> {
  signal: SignalRule
  max: number
}

function Controls({ signal, max, draft, mayChange }: ControlsProps) {
  const { name, title, release_weight: release } = signal
  const weight = draft.of(signal)
  return (
    <Group gap="sm" wrap="nowrap" w={270}>
      <Text size="sm" className="dim" w={86}>
        default {release},
        <br />
        at most {max}
      </Text>
      <NumberInput
        aria-label={`Weight of ${title}`}
        value={weight}
        onChange={(next) => draft.set(name, typeof next === 'number' ? next : '')}
        min={0}
        max={max}
        // What was typed stays, and is refused: it must not become another number.
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        error={weightProblem(weight, max)}
        errorProps={{ role: 'alert' }}
        readOnly={!mayChange}
        w={90}
      />
      <Switch
        aria-label={`Use ${title}`}
        checked={weight !== 0}
        disabled={!mayChange}
        onChange={(event) => draft.set(name, event.currentTarget.checked ? enabledWeight(signal) : 0)}
      />
    </Group>
  )
}

/** What is wrong with a weight; undefined when it can be saved. */
function weightProblem(weight: number | '', max: number): string | undefined {
  if (weight === '') return 'A number'
  return weight > max ? `At most ${max}` : undefined
}

/** A signal that is switched on gets its default weight, or 1 where the default is 0. */
const enabledWeight = ({ release_weight: release }: SignalRule): number => (release === 0 ? 1 : release)

/** Saves the draft as a new version, which scores visits from then on. */
function SaveWeights({ domain, draft }: { domain: string; draft: Draft }) {
  const save = useApiMutation('saveRules', ['getRules'])
  const [note, setNote] = useState('')
  const { weights } = draft
  const params = { domain }
  const { data } = useApiQuery('getBackTest', { params })
  const tried = data?.back_test?.state === 'done' && sameWeights(data.back_test.weights, weights)
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="Note for the history"
        placeholder="Why you changed them"
        value={note}
        maxLength={500}
        onChange={(event) => setNote(event.currentTarget.value)}
        flex="1 1 240px"
      />
      <Button
        disabled={!draft.isChanged || weights === undefined}
        loading={save.isPending}
        onClick={() =>
          weights &&
          void attempt('The weights were saved and are now in use.', () =>
            save.mutateAsync({ params, body: { weights, note } }),
          )
        }
      >
        Save weights
      </Button>
      <Button variant="default" disabled={!draft.isChanged} onClick={draft.reset}>
        Discard changes
      </Button>
      {draft.isChanged && !tried && (
        <Text size="sm" className="dim" w="100%">
          You have not back-tested these weights yet.
        </Text>
      )}
    </Group>
  )
}
