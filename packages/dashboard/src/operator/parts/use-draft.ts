import { useState } from 'react'

/**
 * What is typed in place of a stored value. It is dropped once another value is stored, because it was typed over the one
 * before: saving it would take back what somebody else has changed.
 */
export function useDraft<Value>(stored: Value): readonly [Value, (typed: Value) => void] {
  const over = JSON.stringify(stored)
  const [draft, setDraft] = useState<{ over: string; typed: Value }>()
  return [draft?.over === over ? draft.typed : stored, (typed) => setDraft({ over, typed })]
}
