import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Why no file system can be mounted here; undefined where one can. */
export function whyNoMounts(): string | undefined {
  try {
    mount(1).unmount()
    return undefined
  } catch {
    return 'a file system of memory cannot be mounted'
  }
}

function mount(mebibytes: number): { path: string; unmount(): void } {
  const path = mkdtempSync(join(tmpdir(), 'inkling-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  } catch (error) {
    rmSync(path, { recursive: true })
    throw error
  }
  return {
    path,
    unmount() {
      execFileSync('umount', [path])
      rmSync(path, { recursive: true })
    },
  }
}

/** A disk of its own for one test, where temporary directories are made from now on. */
export function smallDisk(mebibytes: number): string {
  const { path, unmount } = mount(mebibytes)
  const before = process.env.TMPDIR
  process.env.TMPDIR = path
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    unmount()
  })
  return path
}
