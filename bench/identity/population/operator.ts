import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Chance } from './chance.ts'
import type { Device, VisitState } from './device.ts'
import type { Networks } from './networks.ts'
import type { Person } from './people.ts'

/**
 * One thing that happens to devices in life. A file in `operators/` exports one as `operator`; a file that
 * is put there takes part without being named anywhere.
 */
export interface Operator {
  name: string
  /** What lasts, between two visits. */
  evolve?(person: Person, days: number, chance: Chance, networks: Networks): void
  /** What holds for one visit alone. */
  visit?(visit: VisitState, device: Readonly<Device>, chance: Chance, networks: Networks): void
}

/** Operators of a folder in the order of their file names, so that a seed means the same everywhere. */
export async function loadOperators(folder: string): Promise<Operator[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort()
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(`${folder}/${name}`).href) as Promise<{ operator: Operator }>),
  )
  return modules.map(({ operator }) => operator)
}
