import type { Label, LabelDraft } from '@inkling/contract'
import { presentTime } from '@inkling/contract'
import { normalValue } from '../lists/subject-value.ts'
import type { NewLabel } from './labels.ts'
import type { StoredLabel } from './labels-of.ts'

/** The label with its subject in normal form, or what is wrong with the subject. */
export function newLabel(draft: LabelDraft, nowMs: number): NewLabel | { problem: string } {
  const { kind, subject, source, at, note } = draft
  const normal = normalValue(subject.type, subject.value)
  if ('problem' in normal) return normal
  const atMs = at === undefined ? nowMs : Date.parse(at)
  return { kind, subject: { type: subject.type, value: normal.value }, source, atMs, note }
}

export const presentLabel = ({ id, kind, subject, source, atMs, note, author }: StoredLabel): Label => ({
  id,
  kind,
  subject: { type: subject.type, value: subject.value },
  source,
  at: presentTime(atMs),
  note,
  author,
})
