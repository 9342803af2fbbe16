import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 50
const ROUNDS = 100

/**
 * Ends what a run has left behind, and waits until it is gone. Everything a run starts inherits TMPDIR, which
 * names a folder of this run alone, or names that folder in its arguments: nobody else's process is touched.
 */
export async function endProcessesOf(folder: string): Promise<void> {
  // Again until none is left: one may just be starting another, and a dying one still writes its files.
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
