import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import type { RunResult } from './measure-run.ts'

const FOLDER = new URL('../results/', import.meta.url)
/** One run a line, so that a benchmark that is stopped keeps what it has. */
const FILE = new URL('detection.jsonl', FOLDER)

const sameRun = (one: RunResult, other: RunResult): boolean => one.id === other.id && one.run === other.run

/** All runs; of one that was repeated, the last. */
export async function readResults(): Promise<RunResult[]> {
  const text = await readFile(FILE, 'utf8').catch(() => '')
  const all = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunResult)
  return all.filter((result, index) => !all.slice(index + 1).some((later) => sameRun(later, result)))
}

/** Keeps these and forgets all others. */
export async function writeResults(results: readonly RunResult[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(FILE, results.map(line).join(''))
}

export const addResult = (result: RunResult): Promise<void> => appendFile(FILE, line(result))

const line = (result: RunResult): string => `${JSON.stringify(result)}\n`
