import { expect, test } from 'vitest'
import { withPlaces } from './transpile.ts'

const places = new Map([['@inkling/contract', 'packages/contract/src/index.ts']])
const placed = (code: string) => withPlaces(code, 'packages/server/src/store/open.ts', places)

test.each([
  ['import { a } from "./a.ts";', 'import { a } from "./a.js";'],
  ['const b = await import("../lib/b.ts");', 'const b = await import("../lib/b.js");'],
  ['new URL("./worker.ts", import.meta.url)', 'new URL("./worker.js", import.meta.url)'],
  ['export * from "@inkling/contract";', 'export * from "../../../contract/src/index.js";'],
])('%s leads to JavaScript', (code, expected) => {
  expect(placed(code)).toBe(expected)
})

test.each([
  'import "node:fs";',
  'const name = "@inkling/server";',
  'import m from "../../package.json";',
  '"a.ts"',
])('%s stays as it is', (code) => {
  expect(placed(code)).toBe(code)
})
