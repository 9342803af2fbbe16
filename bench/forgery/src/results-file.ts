import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Result } from './run-case.ts'

const FOLDER = new URL('../results/', import.meta.url)
/** One run per line, so that an interrupted benchmark keeps its results. */
const FILE = new URL('forgery.jsonl', FOLDER)
/** What each case got before visits had anything to prove; see the README. */
const BEFORE = new URL('../before.json', import.meta.url)

export interface Before {
  commit: string
  /** ISO 8601, UTC. */
  day: string
  scores: Record<string, number>
}

export const readBefore = async (): Promise<Before> => JSON.parse(await readFile(BEFORE, 'utf8')) as Before

/** All runs, or the last one if a run was repeated. */
export async function readResults(): Promise<Result[]> {
  const text = await readFile(FILE, 'utf8').catch(() => '')
  const latest = new Map<string, Result>()
  for (const line of text.split('\n').filter(Boolean)) {
    const result = JSON.parse(line) as Result
    latest.set(`${result.id} ${result.run}`, result)
  }
  return [...latest.values()]
}

/** Keeps these runs and removes all others. */
export async function writeResults(results: readonly Result[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(FILE, results.map(lineOf).join(''))
}

export const addResult = (result: Result): Promise<void> => appendFile(FILE, lineOf(result))

const lineOf = (result: Result): string => `${JSON.stringify(result)}\n`
