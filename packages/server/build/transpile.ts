import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { transform } from 'esbuild'

/** Our own module names and the source files that they lead to, from the root of the tree. */
export type ModulePlaces = ReadonlyMap<string, string>

interface Trees {
  from: string
  to: string
  places: ModulePlaces
}

/** Oldest Node with all of the syntax; no syntax is made older. */
const SYNTAX = 'node24'

/** Writes every module of the folder as JavaScript to the same place in the other tree, and what lies beside them. */
export async function transpile(folder: string, { from, to, places }: Trees): Promise<void> {
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile() || name.name.endsWith('.test.ts')) continue
    const file = join(name.parentPath, name.name)
    const path = relative(from, file)
    const target = join(to, path)
    await mkdir(dirname(target), { recursive: true })
    if (!path.endsWith('.ts')) {
      await copyFile(file, target)
      continue
    }
    const { code } = await transform(await readFile(file, 'utf8'), {
      loader: 'ts',
      target: SYNTAX,
      legalComments: 'none',
    })
    await writeFile(asJs(target), withPlaces(code, path, places))
  }
}

/** Points at modules by where they lie as JavaScript: imports, and workers by their address. */
export function withPlaces(code: string, path: string, places: ModulePlaces): string {
  return code.replace(/"(\.{1,2}\/[^"\n]+\.ts|@inkling\/[^"\n]+)"/g, (text, name: string) => {
    if (name.startsWith('.')) return JSON.stringify(asJs(name))
    const place = places.get(name)
    if (place === undefined) return text
    const way = relative(dirname(path), asJs(place))
    return JSON.stringify(way.startsWith('.') ? way : `./${way}`)
  })
}

const asJs = (file: string): string => file.replace(/\.ts$/, '.js')
