import type { ReadingValues } from '@inkling/contract'

export const hardware = (): ReadingValues['hardware'] => {
  // Chromium only, in secure contexts, and rounded to a power of two.
  const { deviceMemory } = navigator as Navigator & { deviceMemory?: number }
  return {
    cores: navigator.hardwareConcurrency ?? null,
    memory_gb: deviceMemory ?? null,
    max_touch_points: navigator.maxTouchPoints ?? 0,
  }
}
