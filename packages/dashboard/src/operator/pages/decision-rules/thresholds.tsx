import type { DecisionThresholds } from '@inkling/contract'
import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Section } from '../../parts/layout.tsx'

const ACTIONS = ['review', 'challenge', 'deny'] as const
const POINTS_MAX = 100

type Typed = Record<(typeof ACTIONS)[number], number | ''>

const typedOf = (saved: DecisionThresholds): Typed => ({
  review: saved.review ?? '',
  challenge: saved.challenge ?? '',
  deny: saved.deny ?? '',
})

/** What the points of rules lead to. Remounted when others were saved. */
export function Thresholds({ domain, saved }: { domain: string; saved: DecisionThresholds }) {
  const mayChange = useMay('rules:write')
  const save = useApiMutation('setDecisionThresholds', ['listDecisionRules'])
  const [typed, setTyped] = useState(() => typedOf(saved))
  const isChanged = ACTIONS.some((action) => typed[action] !== typedOf(saved)[action])
  const isUsable = ACTIONS.every((action) => typed[action] === '' || typed[action] <= POINTS_MAX)
  const orNull = (value: number | '') => (value === '' ? null : value)
  return (
    <Section
      title="Decision score"
      about="The points of the rules that are met add up to it, from 0 to 100. From each number on, the decision is at least that action. Without a number, points do not lead to it."
    >
      <Group align="flex-end" gap="sm">
        {ACTIONS.map((action) => (
          <NumberInput
            key={action}
            label={`${ACTION_LABELS[action]} from`}
            placeholder="never"
            value={typed[action]}
            min={1}
            max={POINTS_MAX}
            clampBehavior="none"
            allowDecimal={false}
            allowNegative={false}
            readOnly={!mayChange}
            error={Number(typed[action]) > POINTS_MAX ? `At most ${POINTS_MAX}` : undefined}
            errorProps={{ role: 'alert' }}
            onChange={(next) => setTyped({ ...typed, [action]: typeof next === 'number' ? next : '' })}
            w={130}
          />
        ))}
        {mayChange && (
          <Button
            variant="default"
            disabled={!isChanged || !isUsable}
            loading={save.isPending}
            onClick={() =>
              void attempt('The thresholds were saved and are now in use.', () =>
                save.mutateAsync({
                  params: { domain },
                  body: {
                    review: orNull(typed.review),
                    challenge: orNull(typed.challenge),
                    deny: orNull(typed.deny),
                  },
                }),
              )
            }
          >
            Save thresholds
          </Button>
        )}
      </Group>
    </Section>
  )
}
