import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { CONDITION_WORDS, factSentence, typeWords } from './fact-sentences.ts'

export interface Fact {
  name: string
  type: string
  nullable: boolean
}

/** Enough of CEL to colour it; the server checks it. */
const CEL = StreamLanguage.define({
  name: 'cel',
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^("(\\.|[^"\\])*"?|'(\\.|[^'\\])*'?)/)) return 'string'
    if (stream.match(/^\d+(\.\d+)?/)) return 'number'
    if (stream.match(/^(true|false|null|in)\b/)) return 'keyword'
    if (stream.match(/^[A-Za-z_][\w.]*/)) return 'variableName'
    stream.next()
    return null
  },
})

const COLOURS = HighlightStyle.define([
  { tag: tags.string, color: 'light-dark(#05563f, var(--mantine-color-teal-2))' },
  { tag: tags.number, color: 'light-dark(#7a4b00, var(--mantine-color-yellow-3))' },
  { tag: tags.keyword, color: 'light-dark(#3b3bb3, var(--mantine-color-indigo-2))' },
])

/** In the looks of the other fields. The wavy line replaces a picture that the page's policy forbids. */
const LOOKS = EditorView.theme({
  '&': {
    fontSize: 'var(--mantine-font-size-sm)',
    border: '1px solid light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-4))',
    borderRadius: 'var(--mantine-radius-default)',
    backgroundColor: 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-6))',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    minHeight: '72px',
    padding: '8px 4px',
    caretColor: 'var(--mantine-color-text)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy light-dark(#c92a2a, #ff8787)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    boxShadow: 'var(--mantine-shadow-md)',
    maxWidth: 'min(560px, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: 'var(--mantine-font-size-xs)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.85', marginLeft: '1em' },
  '.cm-completionInfo': {
    padding: '6px 10px',
    fontSize: 'var(--mantine-font-size-xs)',
    maxWidth: '280px',
  },
})

export const conditionLanguage: Extension = [CEL, syntaxHighlighting(COLOURS), LOOKS]

/** Completes facts by any part of their name, so that `acc.h24` finds every count of accounts in a day. */
export function completeFacts(facts: readonly Fact[]) {
  const options: Completion[] = [
    ...facts.map(({ name, type, nullable }) => ({
      label: name,
      type: 'variable',
      // The space is for those who hear it.
      detail: ` ${typeWords(type, nullable)}`,
      info: factSentence(name),
      // What most rules are about comes first.
      boost: name.includes('.') ? 0 : 1,
    })),
    ...CONDITION_WORDS,
  ]
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/)
    if (!word && !context.explicit) return null
    if (isInText(context)) return null
    return { from: word?.from ?? context.pos, options, validFor: /^[\w.]*$/ }
  }
}

/** Whether quotation marks before the cursor are open. */
function isInText({ state, pos }: CompletionContext): boolean {
  const before = state.sliceDoc(0, pos).replace(/"(\\.|[^"\\])*"|'(\\.|[^'\\])*'/g, '')
  return /["']/.test(before)
}
