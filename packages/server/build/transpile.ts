import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { transform } from 'esbuild'

/** Our own module names and their source files, relative to the root. */
export type ModulePlaces = ReadonlyMap<string, string>

interface Trees {
  from: string
  to: string
  places: ModulePlaces
}

/** The oldest Node with all of the syntax; nothing is compiled to older syntax. */
const SYNTAX = 'node24'

/** Compiles every module of the folder to the same path in the other tree, and copies all other files. */
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

/** Rewrites the paths of modules to their JavaScript files, in imports and in the URLs of workers. */
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
