import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { type Diagnostic, linter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { Input } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { styleNonce } from '../../installation.ts'
import { completeFacts, conditionLanguage, type Fact } from './condition-language.ts'

const CHECK_AFTER_MS = 400

export interface ConditionProblem {
  message: string
  line: number
  column: number
}

interface ConditionEditorProps {
  /** What it shows at first. */
  initial: string
  facts: readonly Fact[]
  readOnly: boolean
  change(condition: string): void
  /** Asks the server; null where there is nothing to object to. */
  check(condition: string): Promise<ConditionProblem | null>
}

/** A field for a condition that completes facts and marks the place of an error. */
export function ConditionEditor({ initial, facts, readOnly, change, check }: ConditionEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const changed = useEffectEvent(change)
  const checked = useEffectEvent(check)
  const start = useEffectEvent(() => initial)

  useEffect(() => {
    if (!place.current) return
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: start(),
        extensions: [
          EditorView.cspNonce.of(styleNonce()),
          conditionLanguage,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': 'Condition',
            spellcheck: 'false',
            autocapitalize: 'off',
          }),
          readOnly
            ? [EditorState.readOnly.of(true)]
            : [
                history(),
                autocompletion({ override: [completeFacts(facts)], icons: false }),
                // Tab leaves the field, as everywhere in the page.
                keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
                linter(async ({ state }) => diagnosticsOf(state, await checked(state.doc.toString())), {
                  delay: CHECK_AFTER_MS,
                }),
                EditorView.updateListener.of((update) => {
                  if (update.docChanged) changed(update.state.doc.toString())
                }),
              ],
        ],
      }),
    })
    return () => view.destroy()
  }, [facts, readOnly])

  return (
    <div>
      <Input.Label component="div" aria-hidden>
        Condition
      </Input.Label>
      <div ref={place} />
    </div>
  )
}

/** Marks the word at the place of the problem, or the last character of the text. */
function diagnosticsOf({ doc }: EditorState, problem: ConditionProblem | null): Diagnostic[] {
  if (!problem || doc.length === 0) return []
  const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines))
  const from = Math.min(line.from + problem.column - 1, Math.max(doc.length - 1, 0))
  const [word = ''] = /^\w+/.exec(doc.sliceString(from, line.to)) ?? []
  const to = Math.min(from + Math.max(word.length, 1), doc.length)
  return [{ from, to, severity: 'error', message: problem.message }]
}
