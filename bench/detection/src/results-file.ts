import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import type { RunResult } from './measure-run.ts'

const FOLDER = new URL('../results/', import.meta.url)
/** One run per line, so that an interrupted benchmark keeps its results. */
const FILE = new URL('detection.jsonl', FOLDER)

const sameRun = (one: RunResult, other: RunResult): boolean => one.id === other.id && one.run === other.run

/** All runs, or the last one if a run was repeated. */
export async function readResults(): Promise<RunResult[]> {
  const text = await readFile(FILE, 'utf8').catch(() => '')
  const all = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunResult)
  return all.filter((result, index) => !all.slice(index + 1).some((later) => sameRun(later, result)))
}

/** Keeps these runs and removes all others. */
export async function writeResults(results: readonly RunResult[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(FILE, results.map(line).join(''))
}

export const addResult = (result: RunResult): Promise<void> => appendFile(FILE, line(result))

const line = (result: RunResult): string => `${JSON.stringify(result)}\n`
