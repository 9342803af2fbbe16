import { readFile } from 'node:fs/promises'

/** Ticks of /proc/PID/stat are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10

export interface ProcessUsage {
  /** Processor time of all threads, user and system, since the process started. */
  cpuMs: number
  peakMemoryMb: number
}

/** Undefined where the system tells it in another way than Linux. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status] = await Promise.all(
      ['stat', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    // The second field is the name in parentheses and may contain blanks; user and system time are 14 and 15.
    const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? '')
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      peakMemoryMb: Number(peak?.[1]) / 1_024,
    }
  } catch {
    return undefined
  }
}
