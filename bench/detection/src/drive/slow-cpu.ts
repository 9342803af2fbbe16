import { type ChildProcess, spawn } from 'node:child_process'

/** The processor that the slow browser has to share. */
const PROCESSOR = '0'
const RIVALS = 3
/** Seconds after which a rival ends by itself, whatever becomes of this process. */
const RIVAL_LIMIT = '60'

export const ON_SLOW_CPU = ['taskset', '-c', PROCESSOR]

/** Keeps one processor busy for as long as something is done. */
export async function withSlowCpu(use: () => Promise<void>): Promise<void> {
  const loop = ['timeout', RIVAL_LIMIT, process.execPath, '-e', 'for (;;);']
  const rivals: ChildProcess[] = Array.from({ length: RIVALS }, () =>
    spawn('taskset', ['-c', PROCESSOR, ...loop], { stdio: 'ignore' }),
  )
  try {
    await use()
  } finally {
    for (const rival of rivals) rival.kill()
  }
}
