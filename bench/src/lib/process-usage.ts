import { readFile } from 'node:fs/promises'

/** /proc/PID/stat counts hundredths of a second on every Linux that Node supports. */
const TICK_MS = 10

export interface ProcessUsage {
  /** User and system time of all threads and children, including ended ones. */
  cpuMs: number
  memoryMb: number
  peakMemoryMb: number
}

/** Usage of a process; undefined on other systems than Linux, and after the process has ended. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat = '', status = '', children = ''] = await Promise.all(
      ['stat', 'status', `task/${pid}/children`].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    // The second field is the name in parentheses and may contain spaces; fields 14 to 17 are user and
    // system time of the process and of its ended children.
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

/** Unshared memory of a process and its children. */
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
    // The process has ended.
    return 0
  }
}

/** Processor time of several processes with their children; undefined if one of them cannot be read. */
export async function processorMs(pids: readonly number[]): Promise<number | undefined> {
  const usages = await Promise.all(pids.map(processUsage))
  return usages.reduce<number | undefined>(
    (sum, usage) => (sum === undefined || usage === undefined ? undefined : sum + usage.cpuMs),
    0,
  )
}
