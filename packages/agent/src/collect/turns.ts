import { nextTask } from './next-task.ts'

/**
 * For long work in small steps: call what this returns after each step, and it lets the page have its turn
 * whenever the steps since the last turn took `sliceMs` together.
 */
export function turns(sliceMs: number): () => Promise<void> {
  let sliceStart = performance.now()
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return
    await nextTask()
    sliceStart = performance.now()
  }
}
