import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAnswer, useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { sameWeights } from './same-weights.ts'
import type { Draft } from './use-draft.ts'

/** Makes the draft what scores visits from now on. */
export function SaveWeights({ domain, draft }: { domain: string; draft: Draft }) {
  const save = useChange('saveRules', ['getRules'])
  const [note, setNote] = useState('')
  const { weights } = draft
  const params = { domain }
  const { data } = useAnswer('getBackTest', { params })
  const tried = data?.back_test?.state === 'done' && sameWeights(data.back_test.weights, weights)
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="Note for the history"
        placeholder="Why these weights"
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
          void attempt('The weights are saved and count from now on.', () =>
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
          These weights were not tried on stored visits yet.
        </Text>
      )}
    </Group>
  )
}
