import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

/** Chromium only; Firefox has it on Android alone and then without these two. */
interface NetworkInformation {
  effectiveType?: string
  saveData?: boolean
}

export function connection(): ReadingValues['connection'] {
  const { connection: information } = navigator as Navigator & { connection?: NetworkInformation }
  if (!information) throw new Unsupported()
  return { effective_type: information.effectiveType ?? null, save_data: information.saveData ?? null }
}
