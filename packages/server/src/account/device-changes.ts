import { presentTime } from '@inkling/contract'
import { DEVICE_PARTS, type DeviceChange, type DevicePart } from '@inkling/contract/account'
import type { DeviceLook } from './device-look.ts'

/**
 * What changed between the visits of a device. What went back and forth between two values, as the screen of a docked
 * laptop does, is one change.
 * @param looks oldest first
 * @returns newest first
 */
export const deviceChanges = (looks: readonly DeviceLook[]): DeviceChange[] =>
  DEVICE_PARTS.flatMap((part) => folded(changesOf(part, looks))).sort((a, b) => b.at.localeCompare(a.at))

interface Step {
  part: DevicePart
  before: DeviceLook
  now: DeviceLook
}

/** A visit that does not show the part says nothing of it. */
function changesOf(part: DevicePart, looks: readonly DeviceLook[]): Step[] {
  const steps: Step[] = []
  let before: DeviceLook | undefined
  for (const now of looks) {
    if (!now.parts[part]) continue
    if (before && before.parts[part]?.key !== now.parts[part].key) steps.push({ part, before, now })
    before = now
  }
  return steps
}

function folded(steps: readonly Step[]): DeviceChange[] {
  const changes: DeviceChange[] = []
  let pair = ''
  for (const step of steps) {
    const [from, to] = [step.before.parts[step.part]?.key, step.now.parts[step.part]?.key]
    const own = JSON.stringify([from, to].sort())
    const last = changes.at(-1)
    if (last && own === pair)
      Object.assign(last, { ...present(step), times: last.times + 1, first_at: last.first_at })
    else changes.push(present(step))
    pair = own
  }
  return changes
}

function present({ part, before, now }: Step): DeviceChange {
  const at = presentTime(now.atMs)
  const text = now.parts[part]?.text ?? ''
  return {
    part,
    from: before.parts[part]?.text ?? '',
    to: part === 'typefaces' ? [text, ...fontsChanged(before.fonts, now.fonts)].join('; ') : text,
    at,
    request_id: now.requestId,
    times: 1,
    first_at: at,
  }
}

const NAMES_MAX = 5

const fontsChanged = (before: readonly string[], now: readonly string[]): string[] => [
  ...fontsOnlyIn(now, before, 'new:'),
  ...fontsOnlyIn(before, now, 'gone:'),
]

/** The first names of those that the others lack, after a word; nothing without any. */
export function fontsOnlyIn(fonts: readonly string[], others: readonly string[], word: string): string[] {
  const own = fonts.filter((font) => !others.includes(font))
  if (own.length === 0) return []
  const more = own.length > NAMES_MAX ? ` and ${own.length - NAMES_MAX} more` : ''
  return [`${word} ${own.slice(0, NAMES_MAX).join(', ')}${more}`]
}
