import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDashboard, NONCE_PLACEHOLDER } from './build.ts'

let folder = ''
const built = (name: string) => readFile(join(folder, 'demo', name), 'utf8')

// Not into dist, from which a running server may be serving.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkling-dashboard-'))
  await buildDashboard(pathToFileURL(`${folder}/`))
})
afterAll(() => rm(folder, { recursive: true }))

test('the demo page works under a policy that forbids inline scripts and styles', async () => {
  const html = await built('index.html')
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
})

test('the demo page loads nothing from other servers', async () => {
  for (const name of ['index.html', 'demo.css', 'inkling.svg']) {
    const text = (await built(name)).replaceAll('http://www.w3.org/2000/svg', '')
    // A link loads nothing by itself; this one is required by the licence of the IP data.
    const foreign = text.replaceAll('<a href="https://db-ip.com"', '')
    expect(foreign).not.toMatch(/https?:|url\(|@import/)
  }
  expect(await built('demo.js')).not.toMatch(/https?:\/\//)
})

test('the dashboard works under a policy that forbids inline scripts and styles, and loads nothing from other servers', async () => {
  const html = await readFile(join(folder, 'dashboard', 'index.html'), 'utf8')
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:/)
  expect(html).toContain('<base href="/dashboard/">')
  expect(html).toContain('<meta name="installation" content="">')
  expect(html).toContain(`nonce="${NONCE_PLACEHOLDER}"`)
  for (const [, path] of html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g))
    expect((await readFile(join(folder, 'dashboard', path ?? ''))).length).toBeGreaterThan(100)
})

test('the agent is imported at run time, not bundled', async () => {
  expect(await built('demo.js')).toMatch(/import\(\w/)
})

test('every file that the demo page loads exists', async () => {
  const names = [...(await built('index.html')).matchAll(/\/demo\/([\w.]+)"/g)].map(([, name]) => name ?? '')
  expect(new Set(names)).toEqual(new Set(['inkling.svg', 'demo.css', 'demo.js']))
  for (const name of names) expect((await built(name)).length).toBeGreaterThan(100)
})
