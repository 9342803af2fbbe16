/**
 * What one ordinary cause can change by itself, and how much that says of somebody who pretends to be another
 * browser. Two different ones are needed for a verdict, and the two weakest do not do.
 */
export const GROUPS = {
  /** Which browser on which system. A user-agent switcher changes all of these and nothing else. */
  identity: 25,
  /** The graphics card. Extensions against tracking hide it. */
  gpu: 15,
  languages: 15,
  timezone: 15,
  permissions: 15,
  /** How the request was written; programs that protect computers write it anew. */
  transport: 15,
  /** Hiding that functions were replaced. */
  concealment: 15,
  /** What extensions against tracking blur: cores, memory, screen, canvas, audio. */
  reduction: 10,
  /** What a machine has for life is not what it was at the device's last visit. */
  temporal: 25,
} as const

export type TamperingGroup = keyof typeof GROUPS
