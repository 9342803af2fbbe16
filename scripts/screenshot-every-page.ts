import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { addressOf, SHOWN_PAGES, type ShownPath } from '../packages/dashboard/test/shown-pages.ts'
import { lookFlaws } from '../packages/server/test/dashboard/page-flaws.ts'
import { launchChromium } from '../test/browsers.ts'
import { startPictureServer } from './picture-server.ts'

/**
 * `npm run screenshots:all`: a picture of every page of the dashboard in both themes and three widths, with what axe finds
 * serious on each. Exits with 1 if it found anything.
 */
const USAGE = `usage: npm run screenshots:all -- [options]

  --out DIR     where the pictures and index.html go, ./screenshots by default; what is there is removed
  --only TEXT   only pages whose path contains this text`

const SIZES = [
  { width: 390, height: 844 },
  { width: 1400, height: 1000 },
  { width: 3840, height: 2160 },
] as const
const SCHEMES = ['light', 'dark'] as const

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await takeAll(values.out, values.only)

async function takeAll(out: string, only: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const server = await startPictureServer()
  const browser = await launchChromium()
  const flaws: string[] = []
  try {
    const page = await server.signIn(browser)
    const paths = (Object.keys(SHOWN_PAGES) as ShownPath[]).filter((path) => path.includes(only))
    for (const [index, path] of paths.entries()) {
      console.log(`${index + 1} of ${paths.length}: ${path}`)
      await page.goto(`${server.root}/${addressOf(path, server)}`)
      await arrive(page)
      flaws.push(...(await takeOne(page, join(out, fileName(path)))))
    }
    await writeFile(join(out, 'index.html'), indexOf(paths))
  } finally {
    await browser.close()
    await server.close()
  }
  for (const flaw of flaws) console.error(flaw)
  console.log(`${join(out, 'index.html')}: ${flaws.length} flaws`)
  if (flaws.length > 0) process.exitCode = 1
}

async function arrive(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = page.getByRole('status', { name: 'Loading' })
  for (const one of await loading.all()) await one.waitFor({ state: 'detached' })
}

async function takeOne(page: Page, path: string): Promise<string[]> {
  const flaws: string[] = []
  for (const size of SIZES)
    for (const scheme of SCHEMES) {
      flaws.push(...(await lookFlaws(page, scheme, size)))
      await page.screenshot({ path: `${path}-${size.width}-${scheme}.png`, fullPage: true })
    }
  return flaws
}

function fileName(path: ShownPath): string {
  return path.replace('/d/$domain/', '').replaceAll(/[^a-z]+/gi, '-')
}

/** All pictures on one page, to be looked through. */
function indexOf(paths: readonly ShownPath[]): string {
  return `<!doctype html>
<meta charset="utf-8">
<title>Every page</title>
<style>
  body { font: 14px system-ui; }
  img { height: 420px; max-width: 45vw; border: 1px solid gray; object-fit: cover; object-position: top; }
</style>
${paths.map((path) => `<h2>${path}</h2>\n${picturesOf(path).join('\n')}`).join('\n')}
`
}

function picturesOf(path: ShownPath): string[] {
  return SIZES.flatMap(({ width }) =>
    SCHEMES.map((scheme) => {
      const file = `${fileName(path)}-${width}-${scheme}.png`
      return `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`
    }),
  )
}
