import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonCode } from './example.ts'
import { escapeHtml, html } from './html.ts'
import { inlineProse, prose } from './prose.ts'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** What a browser shows of markup. */
const shown = (markup: string): string =>
  markup.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')

const hostile = fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '/', 'script', ' ', '≠', 'amp;') })

test('any text in a page is shown as it is, and makes no tag', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const page = html`<p title="${text}">${text}</p>`.text
      expect(page.match(/</g)).toHaveLength(2)
      expect(shown(page)).toBe(text)
      expect(shown(escapeHtml(text))).toBe(text)
    }),
  )
})

test('any JSON is shown as it would be written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(shown(jsonCode(value).text)).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('keys, texts and words of JSON are told apart', () => {
  expect(jsonCode({ a: 'b: "1"', c: [-1.5e3, null] }).text).toContain(
    '<span class="key">&quot;a&quot;</span>: <span class="string">&quot;b: \\&quot;1\\&quot;&quot;</span>',
  )
  expect(jsonCode({ c: -1500 }).text).toContain('<span class="word">-1500</span>')
})

test('code, lists and paragraphs of a description', () => {
  expect(inlineProse('a `<b>` c').text).toBe('a <code>&lt;b&gt;</code> c')
  expect(prose('one\n\n- two\n- `three`').text).toBe(
    '<p>one</p><ul><li>two</li><li><code>three</code></li></ul>',
  )
})

test('parts that are not there leave nothing', () => {
  expect(html`a${undefined}${false}${['<', html`<br>`, 0]}`.text).toBe('a&lt;<br>0')
})
