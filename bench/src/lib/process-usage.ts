import { readFile } from 'node:fs/promises'

/** Ticks of /proc/PID/stat are hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10

export interface ProcessUsage {
  /** Processor time of all threads and of all children, ended ones included, user and system. */
  cpuMs: number
  memoryMb: number
  peakMemoryMb: number
}

/** Of a process; undefined where the system tells it in another way than Linux, and once it has ended. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat = '', status = '', children = ''] = await Promise.all(
      ['stat', 'status', `task/${pid}/children`].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    // The second field is the name in parentheses and may contain blanks; 14 to 17 are user and system time
    // of the process, and of the children that ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ownMs = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
    const living = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((child) => processUsage(Number(child))),
    )
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1_024
    return {
      cpuMs: living.reduce((sum, usage) => sum + (usage?.cpuMs ?? 0), ownMs),
      memoryMb: megabytes('VmRSS'),
      peakMemoryMb: megabytes('VmHWM'),
    }
  } catch {
    return undefined
  }
}

/** Of a process and its children, what they share with nobody. */
export async function privateMemoryMb(pid: number): Promise<number> {
  try {
    const [status = '', children = ''] = await Promise.all(
      ['status', `task/${pid}/children`].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    const own = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
    const others = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((child) => privateMemoryMb(Number(child))),
    )
    return others.reduce((sum, megabytes) => sum + megabytes, own)
  } catch {
    // Ended meanwhile.
    return 0
  }
}

/** Processor time of several processes with their children; undefined where one of them cannot be seen. */
export async function processorMs(pids: readonly number[]): Promise<number | undefined> {
  const usages = await Promise.all(pids.map(processUsage))
  return usages.reduce<number | undefined>(
    (sum, usage) => (sum === undefined || usage === undefined ? undefined : sum + usage.cpuMs),
    0,
  )
}
