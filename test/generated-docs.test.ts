import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SIGNALS } from '../packages/server/src/score/signals/index.ts'
import { staleDocs, writeDocs } from '../scripts/generate-docs.ts'
import { signalPages } from '../scripts/signal-pages.ts'

const pages = signalPages()
const pageOf = (name: string): string => pages.get(`${name}.md`) ?? ''

async function writtenDocs(): Promise<string> {
  const docs = await mkdtemp(join(tmpdir(), 'inkling-docs-'))
  onTestFinished(() => rm(docs, { recursive: true }))
  await writeDocs(docs)
  return docs
}

test('the generated docs match the code', async () => {
  expect(await staleDocs()).toEqual([])
})

test('the comparison reports a page that differs, is missing or has no signal; writing corrects all three', async () => {
  const docs = await writtenDocs()
  expect(await staleDocs(docs)).toEqual([])
  await writeFile(join(docs, 'signals/tor.md'), 'by hand')
  await rm(join(docs, 'signals/vpn.md'))
  await writeFile(join(docs, 'signals/forgotten.md'), '')
  expect(await staleDocs(docs)).toEqual(['signals/forgotten.md', 'signals/tor.md', 'signals/vpn.md'])
  await writeDocs(docs)
  expect(await staleDocs(docs)).toEqual([])
  expect(await readFile(join(docs, 'signals/tor.md'), 'utf8')).toBe(pageOf('tor'))
})

test('every signal has a page with its evidence and innocent causes, and the index links to it', () => {
  expect(pages.size).toBe(SIGNALS.length + 1)
  for (const { name, evidence, innocentCauses } of SIGNALS) {
    const file = name.replaceAll('_', '-')
    expect(pages.get('README.md')).toContain(`](${file}.md)`)
    for (const text of [evidence, ...innocentCauses]) expect(pageOf(file)).toContain(text)
  }
})

test('every link between the pages works', () => {
  for (const text of pages.values())
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) expect([...pages.keys()]).toContain(target)
})

test('the rules are on the pages of both signals, in the order of evaluation', () => {
  expect(pageOf('vpn')).toMatch(/Stands in for .*`datacenter_ip`/)
  expect(pageOf('datacenter-ip')).toMatch(/Adds nothing next to .*`tor`.*`vpn`/)
  expect(pageOf('vpn')).toMatch(/Explains \[`browser_vpn_proxy`\]/)
  expect(pageOf('browser-vpn-proxy')).toMatch(/Is explained away by .*`vpn`/)
  expect(pageOf('stun-late-correction')).toMatch(/Takes the flag of \[`stun_not_checked`\]/)
  expect(pageOf('tor')).not.toContain('privacy_relay')
  expect(pageOf('privacy-relay')).toMatch(/Adds nothing next to \[`tor`\]/)
})
