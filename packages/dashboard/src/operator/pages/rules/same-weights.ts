import type { OwnWeights, SignalName } from '@inkling/contract'

/** Whether two sets say the same of every signal; one that is not known yet is like no other. */
export function sameWeights(one: OwnWeights, other: OwnWeights | undefined): boolean {
  if (!other) return false
  const names = [...Object.keys(one), ...Object.keys(other)] as SignalName[]
  return names.every((name) => one[name] === other[name])
}
