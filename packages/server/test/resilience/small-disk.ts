import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Why this machine cannot mount a file system; undefined if it can. */
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

/** Mounts a small disk for one test; temporary directories are created on it from now on. */
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
