import { type ChildProcess, spawn } from 'node:child_process'

/** The core that the slow browser must share. */
const PROCESSOR = '0'
const RIVALS = 3
/** Seconds after which a competing process ends even if this process has died. */
const RIVAL_LIMIT = '60'

export const ON_SLOW_CPU = ['taskset', '-c', PROCESSOR]

/** Keeps one core busy while the work runs. */
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
