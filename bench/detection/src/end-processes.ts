import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 50
const ROUNDS = 100

/**
 * Kills the processes of a run and waits until they are gone. All of them inherit TMPDIR, the folder of
 * this run, or have it in their arguments, so no other process is affected.
 */
export async function endProcessesOf(folder: string): Promise<void> {
  // Repeated until none is left, because a process may be starting another one, and a dying one still
  // writes files.
  for (let round = 0; round < ROUNDS; round++) {
    const pids = await processesOf(folder)
    if (pids.length === 0) return
    for (const pid of pids) endProcess(pid)
    await pause(PAUSE_MS)
  }
}

async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const ours = await Promise.all(
    pids.map(async (pid) => {
      const [environment = '', argv = ''] = await Promise.all(
        ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      return environment.split('\0').includes(`TMPDIR=${folder}`) || argv.includes(`${folder}/`)
    }),
  )
  return pids.filter((_, index) => ours[index])
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
