import type { ReadingValues } from '@inkling/contract'
import { inForeignFrame } from '../ids/in-foreign-frame.ts'

export const frame = (): ReadingValues['frame'] => ({
  nested: window.self !== window.top,
  cross_origin: inForeignFrame(),
})
