import type { ExplainedEntry, Explanation, HistoryRow } from '@inkling/contract'
import { evidenceFacts } from '../evidence/evidence-facts.ts'
import type { EvidenceFact } from '../evidence/plain-words.ts'
import { type Child, element } from './element.ts'

interface SignalsShown {
  row: HistoryRow
  explanation: Explanation | null
  titles: Record<string, string>
}

/** The signals of a visit: counted, covered by another signal, clear, and unknown. */
export function signalsView({ row, explanation, titles }: SignalsShown): Child {
  const titleOf = (name: string) => titles[name] ?? sentenceOf(name)
  const entries = explanation?.entries ?? entriesOf(row)
  const counted = entries.filter((entry) => entry.suppressed_by === undefined)
  const suppressed = entries.filter((entry) => entry.suppressed_by !== undefined)
  return [
    counted.length === 0
      ? element('p', { class: 'nothing' }, nothingFound(row))
      : element(
          'ul',
          { class: 'entries' },
          counted.map((entry) => entryView(entry, titleOf)),
        ),
    suppressed.length > 0 && [
      element('h3', {}, 'Found, but covered by another signal'),
      element(
        'ul',
        { class: 'entries suppressed' },
        suppressed.map((entry) => entryView(entry, titleOf)),
      ),
    ],
    explanation && fold('clear', 'clear: checked, nothing found', explanation.clear.map(titleOf)),
    explanation &&
      fold('unknown', 'unknown: not enough data', explanation.unknown.map(titleOf), unknownNote(row)),
  ]
}

function nothingFound(row: HistoryRow): string {
  return row.is_search_bot
    ? 'A verified search-engine crawler always scores 0.'
    : 'Nothing suspicious was found.'
}

function unknownNote(row: HistoryRow): string {
  const note = 'They count neither for nor against the visit.'
  if (row.country) return note
  return `${note} Its address is in no public database, as on localhost, so its country and network are unknown.`
}

function entryView(entry: ExplainedEntry, titleOf: (name: string) => string): HTMLElement {
  const suppressed = entry.suppressed_by !== undefined
  return element(
    'li',
    { class: 'entry' },
    element(
      'span',
      { class: 'points' },
      suppressed
        ? element('s', { 'aria-label': `${signed(entry.weight)} not counted` }, signed(entry.weight))
        : signed(entry.value),
    ),
    element(
      'div',
      {},
      element('p', { class: 'entry-title' }, entry.title, ' ', element('code', {}, entry.name)),
      suppressed &&
        element('p', { class: 'quiet' }, `Already covered by “${titleOf(entry.suppressed_by ?? '')}”.`),
      evidenceView(entry.evidence),
    ),
  )
}

const signed = (points: number): string => (points > 0 ? `+${points}` : String(points).replace('-', '−'))

function fold(name: string, title: string, items: string[], note?: string): Child {
  if (items.length === 0) return null
  return element(
    'details',
    { 'data-keep': name },
    element('summary', {}, element('span', { class: 'count' }, items.length), ' ', title),
    note && element('p', { class: 'fold-note' }, note),
    element(
      'ul',
      { class: 'names' },
      items.map((item) => element('li', {}, item)),
    ),
  )
}

/** Without an explanation, the row itself still lists what counted. */
function entriesOf(row: HistoryRow): ExplainedEntry[] {
  if (!row.score_details) return []
  const details: { Value: number; Description: string }[] = JSON.parse(row.score_details)
  return details.map(({ Value, Description }) => ({
    name: '',
    title: Description,
    description: Description,
    weight: Value,
    value: Value,
    evidence: {},
  }))
}

function sentenceOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The facts behind a signal. */
function evidenceView(evidence: Record<string, unknown>): Child {
  const facts = evidenceFacts(evidence)
  return facts.length === 0 ? null : factList(facts)
}

const factList = (facts: readonly EvidenceFact[]): HTMLElement =>
  element(
    'dl',
    { class: 'evidence' },
    facts.map(({ label, value }) =>
      element(
        'div',
        {},
        element('dt', {}, label),
        element('dd', {}, typeof value === 'string' ? value : factList(value)),
      ),
    ),
  )
